"""Start programs in a group of their own, and end the whole group."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
CACHE: Final = ROOT / ".cache" / "interop"
"""Everything that is installed or written here, but for the Python environments."""

RUN_WITHIN_S: Final = 420
"""When a client, host or suite is given up: several times what the slowest takes."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a program left behind."""

    code: int | None
    """None: it did not end in time, and was ended."""
    output: str
    errors: str


def run(command: Sequence[str], *, cwd: Path, environ: Mapping[str, str], timeout_s: float) -> Finished:
    """Run *command* to its end, or to *timeout_s*, and end whatever it started.

    Raises:
        OSError: it could not be started.
    """
    # Files, not pipes: a grandchild that lives on would hold a pipe open.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        code: int | None = None
        try:
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(timeout_s)
        finally:
            end_group(process)
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Finished(code, *texts)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End *process*, which leads a session of its own, and all that it started there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def empty_home(name: str) -> Path:
    """Return a new, empty HOME."""
    home = CACHE / "homes" / name
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    return home


def quiet_environ(home: Path, *folders: Path) -> dict[str, str]:
    """Return the variables of a client's process: an own HOME, *folders* first on the path, none of this shell's."""
    return {
        "HOME": str(home),
        "PATH": os.pathsep.join([*map(str, folders), os.defpath]),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "DO_NOT_TRACK": "1",
        # Loopback only: what else they would like to reach is refused at once.
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1,localhost",
    }
