"""The authorizer room: who is calling."""
