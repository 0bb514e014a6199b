"""What `make run` leaves for the other commands: where its embedded AWS is, as long as it runs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from local.embedded_aws import EmbeddedAws
from local.local_variables import ACCOUNT_VARIABLES
from local.template import Template

if TYPE_CHECKING:
    from local.samples import Samples

CONNECTIONS_TABLE: Final = "ConnectionsTable"
"""The table's logical id, and the name of the stack's output."""

NOTE: Final = Path(__file__).parent.parent / ".cache" / "run.json"


def remember(aws: EmbeddedAws, template: Template, samples: "Samples | None") -> None:
    """Write down the variables by which another process of this machine reaches the embedded AWS."""
    if CONNECTIONS_TABLE not in template.body["Resources"]:
        return
    variables = {
        **ACCOUNT_VARIABLES,
        **aws.variables,
        **(samples.variables if samples else {}),
        "SAMCP_CONNECTIONS_TABLE": template.ids.ref(CONNECTIONS_TABLE),
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
