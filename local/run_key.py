"""The key of `make run`: made once on this machine, and good for its embedded AWS only.

Hosts are configured with it, so it stays the same from run to run. No deployment knows it.
"""

import json
from pathlib import Path
from typing import Final

from governance.audit import time_text
from governance.key_table import KeyTable
from governance.keys import NO_ID, KeyRecord, hash_of, id_in, make_key
from local.embedded_aws import EmbeddedAws
from local.running import KEYS_TABLE
from local.template import Template

FILE: Final = Path(__file__).parent.parent / ".cache" / "run-key.json"

SCOPES: Final = ("gateway", "remote")


def seed_run_key(aws: EmbeddedAws, template: Template) -> str:
    """Store the key in the embedded table and return it; "" where the template has no keys."""
    if KEYS_TABLE not in template.body["Resources"]:
        return ""
    key = _run_key()
    item = {"pk": f"KEY#{id_in(key)}", "sk": "KEY"}
    record = KeyRecord(
        key_id=id_in(key),
        team="local",
        plan="unlimited",
        scopes=SCOPES,
        secret_hash=hash_of(key),
        created_at=time_text(0),
        note="make run",
    )
    table = aws.resource("dynamodb").Table(template.ids.ref(KEYS_TABLE))
    if "Item" not in table.get_item(Key=item):
        KeyTable(table).create(record)
    return key


def _run_key() -> str:
    try:
        key = str(json.loads(FILE.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        key = ""
    if id_in(key) != NO_ID:
        return key
    key = make_key().key
    FILE.parent.mkdir(exist_ok=True)
    FILE.touch(mode=0o600)
    FILE.write_text(json.dumps(key), encoding="utf-8")
    return key
