"""The built functions, ready to run here: built first if the sources are newer."""

import sys
from collections.abc import Mapping
from pathlib import Path

from local.artefact import build_artefacts, is_stale
from local.emulator import Build, EmulatorRuntime, find_emulator
from local.runtime_packages import link_runtime_packages
from local.sam import ARTEFACTS_FOR_HERE, install_sam, machine_architecture


def emulator_runtime(template: Path, variables: Mapping[str, str]) -> EmulatorRuntime:
    """Return a runtime of the built functions of *template*; *variables* go to all of them.

    Raises:
        ToolError: SAM cannot be installed, or the build fails.
    """
    root = template.parent
    architecture = machine_architecture()
    emulator = find_emulator(install_sam(root), architecture)
    artefacts = root / ARTEFACTS_FOR_HERE
    if is_stale(template, artefacts):
        print(f"Building the functions for this machine ({architecture}) ...", file=sys.stderr, flush=True)
        build_artefacts(template, artefacts, architecture)
    packages = link_runtime_packages(root / ".cache" / "lambda-runtime")
    return EmulatorRuntime(Build(artefacts, packages, emulator, variables))
