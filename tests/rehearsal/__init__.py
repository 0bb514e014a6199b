"""The deploy rehearsal: a real `sam deploy` to an emulator on loopback, and calls to what was deployed."""
