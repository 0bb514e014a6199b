"""What `sam build` leaves: its folders, their size, and the bytecode that is put in beside the source."""

import compileall
import py_compile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from local.errors import ToolError
from local.sam import build

_SOURCES = ("template.yaml", "functions", "layers")
_SKIPPED = {"__pycache__", ".pytest_cache", ".mypy_cache"}


@dataclass(frozen=True, slots=True)
class Size:
    """One function's or layer's folder."""

    name: str
    bytes_of_source: int
    """Unzipped, as SAM built it."""
    bytes_with_bytecode: int
    """Unzipped, as deployed."""


def build_artefacts(template: Path, folder: Path, architecture: str | None) -> list[Size]:
    """Build every function and layer of *template* into *folder*, bytecode included, and return their sizes.

    Raises:
        ToolError: the build failed.
    """
    build(template, folder, architecture)
    return [_with_bytecode(artefact) for artefact in sorted(folder.iterdir()) if artefact.is_dir()]


def is_stale(template: Path, folder: Path) -> bool:
    """Tell whether *folder* lacks a build of the sources as they are now."""
    built = folder / "template.yaml"
    if not built.exists():
        return True
    built_s = built.stat().st_mtime
    return any(path.stat().st_mtime > built_s for path in _sources(template.parent))


def _sources(root: Path) -> Iterator[Path]:
    for name in _SOURCES:
        path = root / name
        yield from (
            [path]
            if path.is_file()
            else (file for file in path.rglob("*") if file.is_file() and not _SKIPPED & set(file.parts))
        )


def _with_bytecode(artefact: Path) -> Size:
    """Compile a folder in place: it saves 20 to 55 % of a cold start's import, and SAM ships none.

    The bytecode is never checked against its source (the folder is read-only on Lambda) and names the paths Lambda has.
    """
    before = _bytes(artefact)
    mounted = "/opt" if (artefact / "python").is_dir() else "/var/task"
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    is_compiled = compileall.compile_dir(
        artefact, quiet=1, force=True, invalidation_mode=mode, stripdir=str(artefact), prependdir=mounted, workers=0
    )
    if not is_compiled:
        raise ToolError(f"{artefact.name} holds Python files that do not compile: see above.")
    return Size(artefact.name, before, _bytes(artefact))


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
