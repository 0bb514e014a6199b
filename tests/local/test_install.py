"""`requirements/install.sh`, with small programs in the place of Python and of every other tool's noise."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "requirements" / "install.sh"
TOOLS = ("sh", "basename", "cksum", "cut", "dirname", "rm", "touch", "mkdir", "cp", "chmod")

PYTHON = """#!/bin/sh
# A Python 3.13 that makes environments of itself, installs nothing, and talks a lot.
echo "noise on stdout"
echo "$0 $*" >> "$CALLS"
[ "$1 $2" = "-m venv" ] || exit 0
for folder; do :; done
mkdir -p "$folder/bin" && cp "$0" "$folder/bin/python"
"""

OLD_PYTHON = """#!/bin/sh
# Another version: it makes an environment with uv in it, and is nothing else.
[ "$1" = -m ] && mkdir -p "$3/bin" && cp "$PYTHON" "$3/bin/python" && cp "$UV" "$3/bin/uv"
"""

UV = """#!/bin/sh
# A uv that "fetches" the Python above into the folder it is told.
mkdir -p "$UV_PYTHON_INSTALL_DIR/cpython-3.13.9-linux-x86_64-gnu/bin"
cp "$PYTHON" "$UV_PYTHON_INSTALL_DIR/cpython-3.13.9-linux-x86_64-gnu/bin/python3.13"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the script, two locks, and a folder name that needs quotes."""
    root = tmp_path / "my own project"
    (root / "requirements").mkdir(parents=True)
    shutil.copy(SCRIPT, root / "requirements")
    for name in ("one.txt", "two.txt", "uv.txt"):
        (root / "requirements" / name).write_text(f"# {name}\n")
    (root / "pyproject.toml").touch()
    return root


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH that holds the shell's tools and no Python."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    return folder


def write_program(path: Path, text: str) -> Path:
    """Write a program that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def install(project: Path, tools: Path, venv: str, lock: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the script as `make` does."""
    calls = project.parent / "calls"
    environment = {
        "PATH": str(tools),
        "CALLS": str(calls),
        "PYTHON": str(project.parent / "python"),
        "UV": str(project.parent / "uv"),
    }
    command = ["requirements/install.sh", venv, f"requirements/{lock}", *more]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


def calls_of(project: Path) -> list[str]:
    """Return the command lines that the programs were started with."""
    return (project.parent / "calls").read_text().splitlines()


def test_a_python_that_uv_fetched_serves_the_second_environment_too(project: Path, tools: Path) -> None:
    """Our own choice: `make validate` after `make test` must not fetch another."""
    write_program(project.parent / "python", PYTHON)
    write_program(project.parent / "uv", UV)
    write_program(tools / "python3", OLD_PYTHON)
    first = install(project, tools, ".venv", "one.txt")
    assert (first.returncode, first.stdout) == (0, ""), first.stderr
    assert "asking uv" in first.stderr
    second = install(project, tools, ".venv-sam", "two.txt")
    assert (second.returncode, second.stdout) == (0, "")
    assert "asking uv" not in second.stderr
    assert (project / ".venv-sam" / "bin" / "python").exists()


def test_stdout_stays_empty_and_a_folder_may_have_spaces(project: Path, tools: Path) -> None:
    """`make stdio` sets up first; MCP basic/transports: nothing but messages on stdout."""
    write_program(tools / "python3.13", PYTHON)
    done = install(project, tools, ".venv", "one.txt", "editable")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "noise on stdout" in done.stderr
    assert calls_of(project)[-1].endswith(f"-e {project}")


def test_what_is_installed_is_left_alone_until_its_lock_changes(project: Path, tools: Path) -> None:
    """Each target sets up what it needs: that must cost nothing the second time."""
    write_program(tools / "python3.13", PYTHON)
    install(project, tools, ".venv", "one.txt")
    count = len(calls_of(project))
    assert install(project, tools, ".venv", "one.txt").stderr == ""
    assert len(calls_of(project)) == count
    (project / "requirements" / "one.txt").write_text("# another\n")
    install(project, tools, ".venv", "one.txt")
    assert len(calls_of(project)) > count


def test_without_any_python_it_says_what_to_install(project: Path, tools: Path) -> None:
    """A sentence, not a shell's complaint."""
    done = install(project, tools, ".venv", "one.txt")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Install Python 3.13" in done.stderr
