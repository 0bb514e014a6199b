"""The project's own gateway, served as `make run` does, with a key without limit and one of the free plan."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from governance.key_table import KeyTable
from governance.keys import KeyRecord, NewKey, make_key
from local.commands import PROJECT
from local.local_variables import LOCAL_VARIABLES
from tests.local.served import Server, serving
from tests.quirks.replies import Endpoint

ROOMS = ("functions.authorizer.app", "functions.gateway.app")


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    """Serve template.yaml with an embedded AWS."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ROOMS:
            patch.delitem(sys.modules, name, raising=False)
        for name, value in LOCAL_VARIABLES.items():
            patch.setenv(name, value)
        with serving(PROJECT / "template.yaml") as found:
            yield found
        for name in ROOMS:
            sys.modules.pop(name, None)


def keys_of(served: Server) -> KeyTable:
    """Return the table of keys that `make key` works on."""
    aws: Any = served.served.aws
    return KeyTable(aws.resource("dynamodb").Table("KeysTable"))


def new_key(served: Server, plan: str, scopes: tuple[str, ...] = ("gateway",)) -> NewKey:
    """Make a key."""
    new = make_key()
    keys_of(served).create(
        KeyRecord(
            key_id=new.key_id,
            team="corpus",
            plan=plan,
            scopes=scopes,
            secret_hash=new.secret_hash,
            created_at="2026-11-30T00:00:00.000Z",
        )
    )
    return new


@pytest.fixture(scope="module")
def endpoint(served: Server) -> Endpoint:
    """The gateway's route, with keys in the place of the corpus's."""
    limited, unlimited = new_key(served, "free"), new_key(served, "unlimited")
    return Endpoint(served.port, "/gateway/mcp", unlimited.key, limited.key)
