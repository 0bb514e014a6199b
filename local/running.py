"""What `make run` leaves for the other commands: where its embedded AWS is, as long as it runs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from local.embedded_aws import EmbeddedAws
from local.local_variables import ACCOUNT_VARIABLES
from local.template import Template

if TYPE_CHECKING:
    from local.samples import Samples

CONNECTIONS_TABLE: Final = "ConnectionsTable"
KEYS_TABLE: Final = "KeysTable"
AUDIT_TABLE: Final = "AuditTable"

TABLE_VARIABLES: Final[Mapping[str, str]] = {
    CONNECTIONS_TABLE: "SAMCP_CONNECTIONS_TABLE",
    KEYS_TABLE: "SAMCP_KEYS_TABLE",
    AUDIT_TABLE: "SAMCP_AUDIT_TABLE",
}
"""Tables that an operator's commands work on: logical id, which is the stack's output too -> environment variable."""

NOTE: Final = Path(__file__).parent.parent / ".cache" / "run.json"


def remember(aws: EmbeddedAws, template: Template, samples: "Samples | None") -> None:
    """Write down the variables by which another process of this machine reaches the embedded AWS."""
    there = {name: variable for name, variable in TABLE_VARIABLES.items() if name in template.body["Resources"]}
    if not there:
        return
    variables = {
        **ACCOUNT_VARIABLES,
        **aws.variables,
        **(samples.variables if samples else {}),
        **{variable: template.ids.ref(name) for name, variable in there.items()},
    }
    NOTE.parent.mkdir(exist_ok=True)
    NOTE.write_text(json.dumps(variables), encoding="utf-8")


def recall() -> dict[str, str] | None:
    """Return what `remember` wrote; None if it never ran. Whether it still runs, the first request shows."""
    try:
        found: Any = json.loads(NOTE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else None
