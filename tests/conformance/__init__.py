"""The fixture server of the official conformance suite, built from the public layer API only."""
