"""`python -m local`: what its commands say when they cannot go on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from local.artefact import is_stale
from local.commands import main

PROJECT = Path(__file__).parents[2]


def test_an_unknown_server_is_a_sentence_that_lists_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """And stdout stays empty: it belongs to the protocol."""
    assert main(["stdio", "nowhere"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "lab" in said.err


def test_stdio_answers_on_stdout_and_logs_elsewhere() -> None:
    """MCP basic/transports, stdio: nothing but messages on stdout."""
    ask = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    command = [sys.executable, "-m", "local", "stdio", "lab"]
    result = subprocess.run(command, input=ask, cwd=PROJECT, capture_output=True, text=True, timeout=20, check=False)
    assert result.returncode == 0
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == [1]


def test_a_missing_event_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """`make invoke EVENT=...` with a slip of the pen."""
    assert main(["invoke", "events/lab/nowhere.json"]) == 2
    assert "events/lab/nowhere.json cannot be read" in capsys.readouterr().err


def test_an_event_in_a_folder_of_no_room_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The room is the folder's name."""
    event = tmp_path / "event.json"
    event.write_text("{}")
    assert main(["invoke", str(event)]) == 2
    assert "lab" in capsys.readouterr().err


def test_an_event_that_is_not_json_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not a traceback."""
    event = tmp_path / "event.json"
    event.write_text("{")
    assert main(["invoke", str(event)]) == 2
    assert "is not JSON" in capsys.readouterr().err


def test_a_connection_command_takes_its_options_first(capsys: pytest.CaptureFixture[str]) -> None:
    """docs/operating.md: `make connection ARGS="--stack STACK COMMAND"`."""
    assert main(["connection", "--stack", "one", "frobnicate"]) == 2
    assert "invalid choice: 'frobnicate'" in capsys.readouterr().err


def test_a_reader_that_has_read_enough_ends_a_command_quietly() -> None:
    """`make activity | head`: no traceback, at the print or at the interpreter's end."""
    program = "from local.commands import _print_all; raise SystemExit(_print_all(['row'] * 100_000))"
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0


def test_a_build_is_stale_when_a_source_is_newer(tmp_path: Path) -> None:
    """`--rie` and `invoke` build then."""
    template, built = tmp_path / "template.yaml", tmp_path / "built" / "template.yaml"
    source = tmp_path / "functions" / "app.py"
    for path in (template, built, source):
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert is_stale(template, tmp_path / "nowhere")
    for path, time_s in ((template, 1), (source, 1), (built, 2)):
        os.utime(path, (time_s, time_s))
    assert not is_stale(template, built.parent)
    os.utime(source, (3, 3))
    assert is_stale(template, built.parent)
