"""One served fixture project for all tests that only ask it something."""

from collections.abc import Iterator

import pytest

from tests.local.served import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Serve `tests/local/project`."""
    with serving() as found:
        yield found
