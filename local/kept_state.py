"""What the embedded AWS's tables held, over a restart of the serving process: an edit must not cost anybody their keys.

The first process of a `make run` begins with empty tables; each later one with what its predecessor had.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from local.embedded_aws import EmbeddedAws
from local.template import Template

STATE: Final = Path(__file__).parent.parent / ".cache" / "state.json"


def keep(aws: EmbeddedAws, template: Template) -> None:
    """Write down what the tables hold."""
    client = aws.client("dynamodb")
    state = {name: [*_items(client, template.ids.ref(name))] for name in _tables(template)}
    STATE.parent.mkdir(exist_ok=True)
    STATE.write_text(json.dumps(state), encoding="utf-8")


def restore(aws: EmbeddedAws, template: Template) -> None:
    """Put back what `keep` wrote down, where the template still has the table with its keys."""
    try:
        state: Any = json.loads(STATE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    client = aws.client("dynamodb")
    for name in _tables(template):
        for item in state.get(name, ()):
            client.put_item(TableName=template.ids.ref(name), Item=item)


def _tables(template: Template) -> list[str]:
    return [name for name, _ in template.resources("AWS::DynamoDB::Table")]


def _items(client: Any, table: str) -> Iterator[dict[str, Any]]:
    for page in client.get_paginator("scan").paginate(TableName=table):
        yield from page["Items"]
