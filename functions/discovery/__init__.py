"""The `discovery` room: refreshes every connection's catalog, on a schedule."""
