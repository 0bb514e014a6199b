"""What the gateway's function loads when it starts: what one tool needs is loaded when it is first called."""

import json
import subprocess
import sys

from local.commands import PROJECT
from local.local_variables import ACCOUNT_VARIABLES

LATE = ("httpx2", "guardedhttp", "mcp.client")

SCRIPT = """
import json, sys
import functions.gateway.app
print(json.dumps([name for name in %r if name in sys.modules]))
"""


def test_the_http_client_is_loaded_by_the_tools_that_need_it() -> None:
    """A call of another tool would pay 200 ms for it where there is no snapshot."""
    tables = {f"SAMCP_{name}_TABLE": "sample" for name in ("COUNTERS", "AUDIT", "MEMORY")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT % (LATE,)],
        cwd=PROJECT,
        env={**ACCOUNT_VARIABLES, **tables},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == []
