"""The official conformance suite and other people's clients and hosts, driven against our servers."""
