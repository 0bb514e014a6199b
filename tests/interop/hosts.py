"""The hosts: programs with a model, each in an empty HOME of its own, with our server and the scripted model."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.interop.dialects import Conversation
from tests.interop.environments import NODE, NodeEnvironment
from tests.interop.model_endpoint import ModelEndpoint
from tests.interop.observations import Observations
from tests.interop.processes import RUN_WITHIN_S, Finished, empty_home, quiet_environ, run
from tests.interop.relay import Relay

PROMPT: Final = "Use the tools of the lab."
KEY: Final = "interop-dummy-key"


@dataclass(frozen=True, slots=True)
class Invocation:
    """How to start a host once its files are written."""

    command: tuple[str, ...]
    """The program first, a path below its folder's `node_modules`."""
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Host:
    """One row of the table."""

    title: str
    environment: NodeEnvironment
    configure: Callable[[Path, str, str], Invocation]
    """(home, URL of the server, URL of the model) -> how to start it; writes its files into the home."""

    def observe(self, relay: Relay, path: str) -> tuple[Finished, Observations]:
        """Let the host work for the scripted model, against the server at *path* behind *relay*."""
        home = empty_home(self.environment.name)
        with ModelEndpoint() as model:
            invocation = self.configure(home, relay.url + path, model.url)
            program, *options = invocation.command
            command = [str(self.environment.folder / "node_modules" / program), *options]
            environ = {**quiet_environ(home, NODE.bin), **invocation.environ}
            finished = run(command, cwd=home, environ=environ, timeout_s=RUN_WITHIN_S)
        return finished, observe_conversations(model.conversations, relay.count_progress())


def observe_conversations(conversations: Sequence[Conversation], progress_count: int | None) -> Observations:
    """Return what the steps look like from the model's side.

    Args:
        conversations: what each request to the model showed.
        progress_count: notifications that the host got, None if it asked for none. It shows them on a screen that
            nobody looks at; that it reads them and the answer after them is what can be seen.
    """
    if not conversations:
        return {}
    tools = max((conversation.tools for conversation in conversations), key=len)
    observations: dict[str, dict[str, Any]] = {"connect": {"saw": True}, "list": {"saw": tools}}
    results = max((conversation.results for conversation in conversations), key=len)
    for step, result in zip(("call", "error"), results, strict=False):
        observations[step] = {"saw": {"text": result.text, "is_error": result.is_error}}
    if len(results) > len(("call", "error")):
        is_counted = "Counted 2 s." in results[2].text
        saw = None if progress_count is None else list(range(1, progress_count + 1))
        observations["progress"] = {"saw": saw} if is_counted else {"raised": results[2].text}
    return observations


def _configure_claude_code(home: Path, server: str, model: str) -> Invocation:
    servers = {"mcpServers": {"lab": {"type": "http", "url": server}}}
    _write(home / "mcp.json", json.dumps(servers))
    tools = "mcp__lab__calculator,mcp__lab__countdown"
    options = ("-p", PROMPT, "--mcp-config", "mcp.json", "--strict-mcp-config", "--allowedTools", tools)
    return Invocation(
        (".bin/claude", *options),
        {
            "ANTHROPIC_BASE_URL": model,
            "ANTHROPIC_API_KEY": KEY,
            "ENABLE_TOOL_SEARCH": "false",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
    )


def _configure_gemini_cli(home: Path, server: str, model: str) -> Invocation:
    settings = {
        "mcpServers": {"lab": {"httpUrl": server, "trust": True}},
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    _write(home / ".gemini" / "settings.json", json.dumps(settings))
    return Invocation(
        (".bin/gemini", "--skip-trust", "--approval-mode", "yolo", "-p", PROMPT),
        {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": model, "GEMINI_CLI_TRUST_WORKSPACE": "true"},
    )


def _configure_opencode(home: Path, server: str, model: str) -> Invocation:
    settings = {
        "mcp": {"lab": {"type": "remote", "url": server, "oauth": False, "enabled": True}},
        "provider": {
            "scripted": {
                "npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": f"{model}/v1", "apiKey": KEY},
                "models": {"scripted": {"name": "scripted", "tool_call": True}},
            }
        },
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "autoupdate": False,
        "share": "disabled",
        "lsp": False,
    }
    _write(home / "opencode.json", json.dumps(settings))
    return Invocation(
        ("opencode-linux-x64/bin/opencode", "run", PROMPT),
        {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        },
    )


def _configure_codex(home: Path, server: str, model: str) -> Invocation:
    settings = f"""
model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "{model}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"

[mcp_servers.lab]
url = "{server}"
"""
    _write(home / ".codex" / "config.toml", settings)
    options = ("exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT)
    return Invocation((".bin/codex", *options), {"SCRIPTED_KEY": KEY})


def _configure_continue(home: Path, server: str, model: str) -> Invocation:
    settings = {
        "name": "interop",
        "version": "1.0.0",
        "schema": "v1",
        "models": [
            {
                "name": "scripted",
                "provider": "openai",
                "model": "scripted",
                "apiBase": f"{model}/v1",
                "apiKey": KEY,
                "roles": ["chat"],
                "capabilities": ["tool_use"],
            }
        ],
        "mcpServers": [{"name": "lab", "type": "streamable-http", "url": server}],
    }
    # JSON is YAML.
    _write(home / "config.yaml", json.dumps(settings))
    return Invocation(
        (".bin/cn", "--config", "config.yaml", "--auto", "-p", PROMPT),
        {"CONTINUE_METRICS_ENABLED": "0", "CONTINUE_CLI_ENABLE_TELEMETRY": "0", "CONTINUE_CLI_AUTO_UPDATED": "true"},
    )


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


HOSTS: Final = (
    Host("Claude Code", NodeEnvironment("claude-code", "@anthropic-ai/claude-code"), _configure_claude_code),
    Host("Gemini CLI", NodeEnvironment("gemini-cli", "@google/gemini-cli"), _configure_gemini_cli),
    Host("OpenCode", NodeEnvironment("opencode", "opencode-linux-x64"), _configure_opencode),
    Host("Codex", NodeEnvironment("codex", "@openai/codex"), _configure_codex),
    Host("Continue CLI", NodeEnvironment("continue", "@continuedev/cli"), _configure_continue),
)
