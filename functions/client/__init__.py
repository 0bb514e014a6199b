"""The `client` room: outbound MCP calls for callers inside the account."""
