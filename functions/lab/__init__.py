"""The `lab` room: small tools that keep no state and hold no secret."""
