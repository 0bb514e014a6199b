"""How discovery behaves with many connections, and with hostile ones: figures, not assertions."""
