"""Whether a scope opens anything now: a slip of the pen makes a key that opens nothing, and says nothing either."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from functions.gateway.smart_tool import FACTS
from local.api import api_of
from local.banner import keyed_servers
from local.errors import LocalError
from local.template import load_template

PROJECT: Final = Path(__file__).parent.parent


def scope_warnings(scopes: Collection[str], servers: Collection[str]) -> Iterator[str]:
    """Yield a sentence on each of *scopes* that none of *servers*, or no tool of the gateway, answers to.

    Other servers' tools are not looked up: those of the remote server come and go with its connections.
    """
    for scope in scopes:
        server, _, tool = scope.partition(":")
        if server not in servers:
            yield f"Warning: {scope} opens nothing: the servers with keys are {', '.join(sorted(servers))}."
        elif server == "gateway" and tool and tool not in FACTS:
            yield f"Warning: {scope} opens no tool: the gateway has {', '.join(FACTS)}."


def servers_with_keys() -> set[str]:
    """Return the servers of template.yaml that want a key; none where it cannot be read."""
    try:
        template = load_template(PROJECT / "template.yaml", cache=PROJECT / ".cache" / "template")
        return keyed_servers(api_of(template))
    except LocalError:
        return set()
