"""The locked lists: one resolution, hashes for all of it, and no host or machine in any file.

Source: STYLE, Dependencies; docs/decisions/0003-locks.md.
"""

import os
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = sorted(path.name for path in (ROOT / "requirements").glob("*.txt"))
LAYERS = sorted(path.parent.name for path in (ROOT / "layers").glob("*/requirements.txt"))

PIN = re.compile(r"([a-z0-9][a-z0-9._-]*(?:\[[a-z0-9,_-]+\])?)==([^\s;\\]+)(?: ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")

PUBLIC_INDEXES = [
    ".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("yarnpkg", "com"))
]
"""Built from parts, so that this file does not name one either."""

HOMES = ["/" + name + "/" for name in ("root", "home", "Users", "work")]
"""Where a path of one machine begins."""

FOREIGN = ("tests/corpus/", "tests/test_locks.py")
"""What was recorded elsewhere, and this file."""


def pins_of(path: Path) -> dict[str, str]:
    """Return name -> version of a lock."""
    found = map(PIN.fullmatch, path.read_text("utf-8").splitlines())
    return {pin[1].partition("[")[0]: pin[2] for pin in found if pin}


def tracked() -> list[tuple[str, str]]:
    """Return each text file under git and what it says."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file() and not name.startswith(FOREIGN):
            found.append((name, path.read_bytes().decode("utf-8", "replace")))
    return found


@pytest.fixture(scope="module")
def files() -> list[tuple[str, str]]:
    """Read the tree once."""
    return tracked()


def configured_indexes() -> set[str]:
    """Return the hosts of the indexes that this machine installs from, as its environment and pip say."""
    names = ("INDEX_URL", "REGISTRY", "DEFAULT_INDEX", "FIND_LINKS")
    values = [value for name, value in os.environ.items() if name.upper().endswith(names)]
    pip = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False)
    values += re.findall(r"https?://[^\s']+", pip.stdout)
    hosts = {urlsplit(value).hostname for value in values}
    return {host for host in hosts if host and host not in ("localhost", "127.0.0.1")}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layers_list_is_its_lock(layer: str) -> None:
    """`make lock` writes requirements/*.txt and from them each layer's; nobody edits them."""
    lock = (ROOT / "requirements" / f"layer-{layer}.txt").read_bytes()
    assert (ROOT / "layers" / layer / "requirements.txt").read_bytes() == lock


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layers_pins_are_those_that_the_tests_run_with(layer: str) -> None:
    """One resolution: what is tested is what is deployed."""
    pins = pins_of(ROOT / "layers" / layer / "requirements.txt")
    assert pins
    assert pins.items() <= pins_of(ROOT / "requirements" / "dev.txt").items()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_pinned_and_hashed(lock: str) -> None:
    """Pip's hash-checking mode: a line that is neither a pin nor a hash would turn it off or name a host."""
    lines = [line for line in (ROOT / "requirements" / lock).read_text("utf-8").splitlines() if line.strip()]
    assert lines
    assert PIN.fullmatch(lines[0])
    for line, following in zip(lines, [*lines[1:], "end==0 \\"], strict=True):
        assert PIN.fullmatch(line) or HASH.fullmatch(line), line
        # A pin is followed by a hash, and the last hash by the next pin.
        continues = line.endswith("\\")
        assert bool(HASH.fullmatch(following)) is continues, line


@pytest.mark.parametrize("lock", LOCKS)
def test_every_lock_has_its_source(lock: str) -> None:
    """A list without its `.in` file cannot be renewed."""
    assert (ROOT / "requirements" / lock).with_suffix(".in").is_file()


def test_what_is_installed_here_is_what_dev_says() -> None:
    """The suite runs in the environment that `make test` installs."""
    installed = {found.name.lower().replace("_", "-"): found.version for found in distributions()}
    layer = pins_of(ROOT / "requirements" / "layer-mcpserver.txt")
    assert {name: installed.get(name) for name in layer} == layer


def test_no_file_names_an_index_host(files: list[tuple[str, str]]) -> None:
    """STYLE, Dependencies: no index host: whoever installs says where from."""
    hosts = {*PUBLIC_INDEXES, *configured_indexes()}
    assert [(name, host) for name, text in files for host in hosts if host in text] == []


def test_no_file_holds_a_path_of_one_machine(files: list[tuple[str, str]]) -> None:
    """A clone on any machine is whole; and a path tells who worked where."""
    pattern = re.compile(r"(?<![\w.}/~-])(?:" + "|".join(map(re.escape, HOMES)) + r")\w")
    assert [(name, found[0]) for name, text in files if (found := pattern.search(text))] == []
