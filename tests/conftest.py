"""What every test may use."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio, as on Lambda."""
    return "asyncio"
