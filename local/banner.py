"""What `run` says at the start: what is served, and how to connect each host to it."""

from local.api import Api


def servers(api: Api) -> dict[str, str]:
    """Return name -> path of each MCP server: `/lab/mcp` is `lab`."""
    paths = (route.path for route in api.routes.all if route.method == "POST" and route.function_name)
    return {path.strip("/").split("/")[0]: path for path in paths if path.endswith("/mcp")}


def welcome(api: Api, url: str, notes: list[str]) -> str:
    """Return the text: one paragraph on what runs, one block on each server."""
    lines = [
        "",
        f"Serving template.yaml on {url} (stage {api.stage}). Ctrl-C ends it; edits are served within a second or two.",
        *notes,
    ]
    for name, path in servers(api).items():
        lines += ["", f"{name}: {url}{path}", *connections(f"samcp-{name}", url + path)]
    return "\n".join([*lines, ""])


def connections(name: str, endpoint: str) -> list[str]:
    """Return how to connect each host to one server."""
    return [
        f"  Claude Code   claude mcp add --transport http {name} {endpoint}",
        f"  Gemini CLI    gemini mcp add --transport http {name} {endpoint}",
        f"  Codex         codex mcp add {name} --url {endpoint}",
        f'  VS Code       code --add-mcp \'{{"name":"{name}","type":"http","url":"{endpoint}"}}\'',
        f'  Cursor        .cursor/mcp.json: {{"mcpServers":{{"{name}":{{"url":"{endpoint}"}}}}}}',
        f"  Inspector     npx @modelcontextprotocol/inspector --cli {endpoint} --transport http --method tools/list",
    ]
