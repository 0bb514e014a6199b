"""Scopes: `gateway` is every tool of that server, `gateway:smart_fetch` one of them."""

from collections.abc import Collection


def may_enter(scopes: Collection[str], server: str) -> bool:
    """Tell whether *scopes* hold anything of *server*."""
    return any(scope.partition(":")[0] == server for scope in scopes)


def may_call(scopes: Collection[str], server: str, tool: str) -> bool:
    """Tell whether *scopes* hold *tool* of *server*."""
    return server in scopes or f"{server}:{tool}" in scopes
