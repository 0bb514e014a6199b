"""Servers on loopback that a test writes answer by answer, and the network that leads a guarded client to them."""
