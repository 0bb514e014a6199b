"""The fixture gateway, served once for all cases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.local.served import serving
from tests.quirks.replies import Endpoint


@pytest.fixture(scope="session")
def gateway() -> Iterator[Endpoint]:
    """Serve `tests/quirks/template.yaml` on a loopback port."""
    with serving(Path(__file__).with_name("template.yaml")) as served:
        yield Endpoint(served.port)
