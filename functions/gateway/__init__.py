"""The gateway room: seven `smart_*` tools behind keys, limits, a budget and an audit."""
