"""What the embedded AWS's tables held, over a restart of the serving process: an edit must not cost anybody their keys.

The first process of a `make run` begins with empty tables; each later one with what its predecessor had.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from local.embedded_aws import EmbeddedAws
from local.template import Template

STATE: Final = Path(__file__).parent.parent / ".cache" / "state.json"

_BYTES: Final = "base64"


def keep(aws: EmbeddedAws, template: Template) -> None:
    """Write down what the tables hold. Hashes and notes are among it: for this user only."""
    client = aws.client("dynamodb")
    state = {name: [*_items(client, template.ids.ref(name))] for name in _tables(template)}
    STATE.parent.mkdir(exist_ok=True)
    # Whole or not at all: a process that is killed meanwhile must not leave half of it.
    unfinished = STATE.with_suffix(".new")
    unfinished.touch(mode=0o600)
    unfinished.write_text(json.dumps(state, default=_packed), encoding="utf-8")
    unfinished.replace(STATE)


def restore(aws: EmbeddedAws, template: Template) -> None:
    """Put back what `keep` wrote down, where the template still has the table with its keys."""
    from botocore.exceptions import ClientError  # noqa: PLC0415 -- only a template with state pays for it

    try:
        state: Any = json.loads(STATE.read_text(encoding="utf-8"), object_hook=_unpacked)
    except (OSError, ValueError):
        return
    client = aws.client("dynamodb")
    for name in _tables(template):
        for item in state.get(name, ()):
            try:
                client.put_item(TableName=template.ids.ref(name), Item=item)
            except ClientError:
                # The edit changed the table's keys. What was in it does not fit any more.
                break


def forget() -> None:
    """Remove what an earlier `make run` wrote down."""
    STATE.unlink(missing_ok=True)


def _tables(template: Template) -> list[str]:
    return [name for name, _ in template.resources("AWS::DynamoDB::Table")]


def _items(client: Any, table: str) -> Iterator[dict[str, Any]]:
    for page in client.get_paginator("scan").paginate(TableName=table):
        yield from page["Items"]


def _packed(value: bytes) -> dict[str, str]:
    return {_BYTES: base64.b64encode(value).decode()}


def _unpacked(found: dict[str, Any]) -> Any:
    """Return the bytes that *found* stands for. An attribute's own name has an object under it, never a text."""
    return base64.b64decode(found[_BYTES]) if isinstance(found.get(_BYTES), str) else found
