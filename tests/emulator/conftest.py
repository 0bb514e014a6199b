"""The built functions under the real runtime. Slow, and needs SAM: `make test-emulator`, not `make test`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from local.built_functions import emulator_runtime
from local.emulator import EmulatorRuntime
from local.local_variables import ACCOUNT_VARIABLES
from local.template import Template, load_template

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def template() -> Template:
    """The project's template."""
    return load_template(ROOT / "template.yaml")


@pytest.fixture(scope="session")
def runtime() -> Iterator[EmulatorRuntime]:
    """Its functions, built if they are stale."""
    found = emulator_runtime(ROOT / "template.yaml", ACCOUNT_VARIABLES)
    yield found
    found.close()
