"""What a restart of the serving process keeps."""

from pathlib import Path
from typing import Any

import pytest

from local import kept_state, run_key
from local.embedded_aws import EmbeddedAws
from local.template import load_template
from tests.governance.conftest import ROOT


def test_items_and_the_run_s_key_outlive_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit must not cost a developer the keys, and hosts are configured with the run's own."""
    monkeypatch.setattr(kept_state, "STATE", tmp_path / "state.json")
    monkeypatch.setattr(run_key, "FILE", tmp_path / "run-key.json")
    item = {"pk": {"S": "TEAM#me"}, "sk": {"S": "2026-12"}, "t": {"N": "5"}, "b": {"BOOL": True}}
    keys = []
    for number in range(2):
        aws, template = EmbeddedAws(), load_template(ROOT / "template.yaml")
        try:
            aws.seed(template)
            keys.append(run_key.seed_run_key(aws, template))
            client: Any = aws.client("dynamodb")
            if number:
                kept_state.restore(aws, template)
                assert client.scan(TableName="CountersTable")["Items"] == [item]
            else:
                client.put_item(TableName="CountersTable", Item=item)
                kept_state.keep(aws, template)
        finally:
            aws.close()
    assert keys[0] == keys[1]
    assert (tmp_path / "run-key.json").stat().st_mode & 0o077 == 0
