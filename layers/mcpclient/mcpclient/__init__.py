"""Calling other people's MCP servers."""
