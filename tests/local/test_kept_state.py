"""What a restart of the serving process keeps."""

import json
from pathlib import Path
from typing import Any

import pytest

from governance.keys import NO_ID, id_in
from local import kept_state, run_key
from local.embedded_aws import EmbeddedAws
from local.template import load_template
from tests.governance.conftest import ROOT


def test_items_and_the_run_s_key_outlive_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit must not cost a developer the keys, and hosts are configured with the run's own."""
    monkeypatch.setattr(kept_state, "STATE", tmp_path / "state.json")
    monkeypatch.setattr(run_key, "FILE", tmp_path / "run-key.json")
    item = {"pk": {"S": "TEAM#me"}, "sk": {"S": "2026-12"}, "t": {"N": "5"}, "b": {"BOOL": True}}
    # Catalogs and approvals are packed; and an attribute may be called as the file's own mark.
    item |= {"pins": {"B": b"\x00\xff"}, "more": {"M": {"base64": {"L": [{"B": b"\x80"}]}}}}
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
    assert (tmp_path / "state.json").stat().st_mode & 0o077 == 0
    assert (tmp_path / "run-key.json").stat().st_mode & 0o077 == 0


def test_what_does_not_fit_the_edited_template_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or `make run` would not start again after an edit of a table's keys."""
    monkeypatch.setattr(kept_state, "STATE", tmp_path / "state.json")
    fits = {"pk": {"S": "a"}, "sk": {"S": "b"}}
    kept = {"CountersTable": [{"other": {"S": "a"}}], "KeysTable": [fits], "GoneTable": [fits]}
    kept_state.STATE.write_text(json.dumps(kept), encoding="utf-8")
    aws, template = EmbeddedAws(), load_template(ROOT / "template.yaml")
    try:
        aws.seed(template)
        kept_state.restore(aws, template)
        client: Any = aws.client("dynamodb")
        assert client.scan(TableName="CountersTable")["Items"] == []
        assert client.scan(TableName="KeysTable")["Items"] == [fits]
    finally:
        aws.close()
    kept_state.forget()
    kept_state.forget()
    assert not kept_state.STATE.exists()


@pytest.mark.parametrize("content", ["", "{", '"no key"', "[1]"])
def test_a_run_s_key_that_is_none_is_made_again(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be stored under the id that stands for everything that is no key."""
    monkeypatch.setattr(run_key, "FILE", tmp_path / "run-key.json")
    run_key.FILE.write_text(content, encoding="utf-8")
    key = run_key._run_key()
    assert id_in(key) != NO_ID
    assert run_key._run_key() == key
