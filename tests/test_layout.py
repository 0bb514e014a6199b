"""The shape of the tree: arrows point down, imports are small, files are short.

Source: SPEC 1, Direction; STYLE, Files.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_LINES = 300
SOURCES = ("functions", "layers", "local", "tests", "benchmarks")

HEAVY = [
    "mcp",
    "boto3",
    # The bare package `botocore` is a millisecond; Powertools registers its user agent with it.
    "botocore.session",
    "botocore.client",
    "httpx",
    "httpx2",
    "starlette",
    "uvicorn",
    "anyio",
    "jsonschema",
    "requests",
]
"""What a server must not load: each costs a cold start tens of milliseconds, `mcp` some 560 modules."""


def python_files() -> list[Path]:
    """Return every Python file of ours."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *SOURCES],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name.endswith(".py") and (ROOT / name).is_file()]


def run(program: str) -> subprocess.CompletedProcess[str]:
    """Run *program* in a fresh interpreter that makes errors of warnings."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_the_import_contracts_hold() -> None:
    """SPEC 1: no room imports a room, a server imports mcp_types only; the contracts are in pyproject.toml."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert " 0 broken" in done.stdout


@pytest.mark.parametrize("module", ["mcpserver", "mcpserver.receivers", "functions.lab.app"])
def test_importing_a_server_loads_nothing_heavy(module: str) -> None:
    """SPEC 1: `mcpserver` never imports `mcp`; a cold start pays for each module."""
    done = run(f"import sys, {module}; print(*sorted(set({HEAVY!r}) & sys.modules.keys()))")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_the_hot_path_never_loads_the_wire_models() -> None:
    """PROTOCOL: `mcp_types.methods` costs another 300 ms: it is an oracle for tests."""
    program = (
        "import sys, json, pathlib, functions.lab.app as app\n"
        "event = json.loads(pathlib.Path('events/lab/tools_call.json').read_text())\n"
        "assert app.lambda_handler(event, None)['statusCode'] == 200\n"
        f"heavy = set({HEAVY!r}) | {{'mcp_types.methods'}}\n"
        "print(*sorted(heavy & sys.modules.keys()), file=sys.stderr)\n"
    )
    done = run(program)
    assert (done.returncode, done.stderr.strip()) == (0, "")


def test_every_public_name_of_the_layer_is_there() -> None:
    """SPEC 2.3: one import line is all that a tool author needs."""
    program = (
        "from mcpserver import MCPServerBase, MCPToolBase, MCPServerToolError, tool, http_handler\n"
        "import mcpserver\n"
        "assert all(hasattr(mcpserver, name) for name in mcpserver.__all__)\n"
        "assert len(set(mcpserver.__all__)) == len(mcpserver.__all__)\n"
    )
    done = run(program)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_file_is_longer_than_a_story() -> None:
    """STYLE, Files: never over 300 lines."""
    long = {
        str(path.relative_to(ROOT)): lines
        for path in python_files()
        if (lines := len(path.read_text("utf-8").splitlines())) > MAX_LINES
    }
    assert long == {}


def test_every_event_has_a_room() -> None:
    """SPEC 1: events/<room>/<case>.json."""
    rooms = {path.parent.name for path in (ROOT / "functions").glob("*/app.py")}
    assert {path.parent.name for path in (ROOT / "events").glob("*/*.json")} <= rooms
