"""The SAM command line and cfn-lint: check the template, build the functions."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from local.errors import ToolError
from local.intrinsics import REGION
from local.template import translate

ARTEFACTS_FOR_AWS = Path(".aws-sam/build")
"""Where `sam deploy` looks."""

ARTEFACTS_FOR_HERE = Path(".aws-sam/local")
"""Built for this machine's processor, for the Runtime Interface Emulator."""

_SAM_VENV = ".venv-sam"


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the template and what it said."""

    name: str
    is_passed: bool
    output: str


def install_sam(root: Path) -> Path:
    """Install SAM in an environment of its own, unless it is there, and return that environment's folder.

    Raises:
        ToolError: it could not be installed.
    """
    command = [str(root / "requirements" / "install.sh"), _SAM_VENV, "requirements/sam.txt"]
    if subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, check=False).returncode:
        raise ToolError("SAM could not be installed: see above.")
    return root / _SAM_VENV


def machine_architecture() -> str:
    """Return this machine's architecture in Lambda's words."""
    return "arm64" if platform.machine() in {"arm64", "aarch64"} else "x86_64"


def validate(template: Path) -> Iterator[Check]:
    """Yield three checks: SAM's own, cfn-lint's of the template, cfn-lint's of what AWS will be given.

    The third sees what the others do not: cfn-lint no longer looks inside SAM's resources.

    Raises:
        TemplateError: the template cannot be translated.
    """
    sam = install_sam(template.parent) / "bin" / "sam"
    yield _check("sam validate", [str(sam), "validate", "--lint", "--template", str(template)], template.parent)
    cfn_lint = [str(Path(sys.executable).parent / "cfn-lint"), "--template"]
    yield _check(f"cfn-lint {template.name}", [*cfn_lint, str(template)], template.parent)
    with tempfile.TemporaryDirectory() as folder:
        translated = Path(folder) / "translated.json"
        translated.write_text(json.dumps(translate(template.read_text(encoding="utf-8")), indent=1), encoding="utf-8")
        yield _check("cfn-lint of its translation", [*cfn_lint, str(translated)], template.parent)


def build(template: Path, folder: Path, architecture: str | None) -> None:
    """Run `sam build` into *folder*; *architecture* None is the template's default. What it prints goes to stderr.

    Raises:
        ToolError: the build failed.
    """
    sam = install_sam(template.parent) / "bin" / "sam"
    overrides = ["--parameter-overrides", f"Architecture={architecture}"] if architecture else []
    command = [str(sam), "build", "--template", str(template), "--build-dir", str(folder), "--cached", "--parallel"]
    result = _run([*command, "--cache-dir", str(folder.parent / "cache"), *overrides], template.parent)
    if result.returncode:
        raise ToolError(f"sam build failed:\n{result.stdout}")


def _check(name: str, command: Sequence[str], root: Path) -> Check:
    result = _run(command, root)
    return Check(name, result.returncode == 0, result.stdout)


def _run(command: Sequence[str], root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=root, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def _environment() -> dict[str, str]:
    """SAM takes the first python3.13 on PATH: the interpreter itself, for a version manager's stand-in may refuse."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "AWS_", "SAM_"))}
    path = os.pathsep.join([str(Path(sys.base_prefix) / "bin"), own.get("PATH", "")])
    settings = {"SAM_CLI_TELEMETRY": "0", "AWS_EC2_METADATA_DISABLED": "true", "AWS_DEFAULT_REGION": REGION}
    return {**own, **settings, "PATH": path}
