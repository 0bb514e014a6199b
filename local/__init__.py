"""The local gateway: serves template.yaml's routes on this machine; builds, checks and invokes its functions.

Never deployed. `python -m local --help` lists its commands; docs/local-gateway.md says what it stands in for.
"""
