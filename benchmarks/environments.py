"""Each contestant's environment: made from its lock, and weighed."""

import subprocess
from pathlib import Path
from typing import Final

from benchmarks.contestants import ROOT, Contestant

_NOT_NEEDED: Final = ("pip", "setuptools", "__pycache__")
"""What every fresh environment holds, and what Python compiles by itself."""


class InstallError(Exception):
    """The environment could not be made."""


def folder_of(environment: str) -> Path:
    """Return where the environment called *environment* is."""
    return ROOT / f".venv-bench-{environment}"


def provide(environment: str, lock: str) -> Path:
    """Return the Python of *environment*, made from *lock* if it is not there yet.

    Raises:
        InstallError: it did not install.
    """
    folder = folder_of(environment)
    command = ["requirements/install.sh", folder.name, f"requirements/{lock}"]
    try:
        subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    except (subprocess.CalledProcessError, OSError) as error:
        raise InstallError("it did not install") from error
    return folder / "bin" / "python"


def size_mb(contestant: Contestant) -> float:
    """Return what *contestant* weighs unpacked: the packages of its lock and our source, in megabytes."""
    packages = next(folder_of(contestant.environment).glob("lib/python3*/site-packages"))
    folders = [packages, *(ROOT / folder for folder in contestant.source)]
    return sum(map(_bytes_in, folders)) / 1e6


def _bytes_in(folder: Path) -> int:
    return sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not any(_is_not_needed(part) for part in path.relative_to(folder).parts)
    )


def _is_not_needed(part: str) -> bool:
    return part.partition("-")[0] in _NOT_NEEDED
