"""What `run` says at the start: what is served, and how to connect each host to it."""

from typing import Final

from local.api import Api

_INSPECTOR: Final = "--method tools/list"


def servers(api: Api) -> dict[str, str]:
    """Return name -> path of each MCP server: `/lab/mcp` is `lab`."""
    paths = (route.path for route in api.routes.all if route.method == "POST" and route.function_name)
    return {path.strip("/").split("/")[0]: path for path in paths if path.endswith("/mcp")}


def keyed_servers(api: Api) -> set[str]:
    """Return the names of the servers that want a key."""
    routes = (route for route in api.routes.all if route.method == "POST" and route.authorizer)
    return {route.path.strip("/").split("/")[0] for route in routes}


def welcome(api: Api, url: str, key: str, notes: list[str]) -> str:
    """Return the text: one paragraph on what runs, one block on each server."""
    lines = [
        "",
        f"Serving template.yaml on {url} (stage {api.stage}). Ctrl-C ends it; edits are served within a few seconds.",
        *notes,
    ]
    keyed = keyed_servers(api) if key else set()
    if keyed:
        lines += ["", f"{' and '.join(sorted(keyed))} want a key. This machine's runs have one:"]
        lines += [f"  export SAMCP_KEY={key}"]
        lines += ['A key with limits: make key ARGS="create --team me". What it did: make activity.']
    for name, path in servers(api).items():
        lines += ["", f"{name}: {url}{path}", *connections(f"samcp-{name}", url + path, key if name in keyed else "")]
    return "\n".join([*lines, ""])


def connections(name: str, endpoint: str, key: str = "") -> list[str]:
    """Return how to connect each host to one server; with *key* where it wants one."""
    header = ' --header "Authorization: Bearer $SAMCP_KEY"' if key else ""
    members = f',"headers":{{"Authorization":"Bearer {key}"}}' if key else ""
    token = " --bearer-token-env-var SAMCP_KEY" if key else ""
    return [
        f"  Claude Code   claude mcp add --transport http {name} {endpoint}{header}",
        f"  Gemini CLI    gemini mcp add --transport http{header} {name} {endpoint}",
        f"  Codex         codex mcp add {name} --url {endpoint}{token}",
        f'  VS Code       code --add-mcp \'{{"name":"{name}","type":"http","url":"{endpoint}"{members}}}\'',
        f'  Cursor        .cursor/mcp.json: {{"mcpServers":{{"{name}":{{"url":"{endpoint}"{members}}}}}}}',
        f"  Inspector     npx @modelcontextprotocol/inspector --cli {endpoint} --transport http{header} {_INSPECTOR}",
    ]
