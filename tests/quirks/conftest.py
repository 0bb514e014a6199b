"""The fixture gateway, served once for all cases."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.local.served import serving
from tests.quirks.replies import AnswerTo, Endpoint, Reply


@pytest.fixture(scope="session")
def gateway() -> Iterator[Endpoint]:
    """Serve `tests/quirks/template.yaml` on a loopback port."""
    with serving(Path(__file__).with_name("template.yaml")) as served:
        yield Endpoint(served.port)


@pytest.fixture(scope="session")
def answer_to(gateway: Endpoint) -> AnswerTo:
    """Return what gives the answer to a case: each is sent once, and its sentences read the same answer."""
    replies: dict[str, Reply] = {}

    def answer(case: Mapping[str, Any]) -> Reply:
        if case["id"] not in replies:
            replies[case["id"]] = gateway.send(case["sends"])
        return replies[case["id"]]

    return answer
