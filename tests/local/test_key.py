"""`make key`: what an operator types, and what stands there then."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from governance.key_table import KeyTable
from governance.keys import hash_of, is_proved
from local.errors import LocalError
from local.key import run
from tests.governance.conftest import make_table, template

__all__ = ["template"]

NOW_S = 1_796_083_200.0


@pytest.fixture
def table(dynamodb: Any, template: Any) -> Iterator[Any]:
    """Give an empty table of keys."""
    made = make_table(dynamodb, template, "KeysTable")
    yield made
    made.delete()


def key(table: Any, *words: str) -> list[str]:
    """Run one command."""
    return run(words, table=table, now_s=lambda: NOW_S)


def created(table: Any, *words: str) -> tuple[str, str]:
    """Make a key and return it and its id."""
    printed = key(table, "create", "--team", "me", *words)[0]
    return printed, printed.split("_")[1]


def test_a_key_is_printed_once_and_opens(table: Any) -> None:
    """GATEWAY.md: shown when it is made, and only a hash is stored."""
    printed, key_id = created(table, "--scope", "gateway:smart_fetch", "--scope", "remote", "--note", "laptop")
    record = KeyTable(table).get(key_id)
    assert is_proved(hash_of(printed), record, now_s=NOW_S)
    assert (record.team, record.plan, record.scopes) == ("me", "free", ("gateway:smart_fetch", "remote"))
    said = "\n".join(key(table, "list") + key(table, "show", key_id))
    assert "laptop" in said
    assert printed not in said
    assert hash_of(printed) not in said


def test_a_key_is_switched_off_and_on(table: Any) -> None:
    """It stops within the minute for which the authorizer believes it."""
    _, key_id = created(table)
    key(table, "disable", key_id)
    assert "DISABLED" in key(table, "list")[0]
    key(table, "enable", key_id)
    assert KeyTable(table).get(key_id).is_enabled


def test_a_row_that_is_no_key_is_listed_as_one_that_opens_nothing(table: Any) -> None:
    """One row that somebody has edited must not hide the others."""
    _, key_id = created(table)
    table.put_item(Item={"pk": "KEY#edited", "sk": "KEY", "secret_hash": "canary"})
    lines = key(table, "list")
    assert lines[0].startswith(key_id)
    assert lines[1].startswith("edited  is not valid, and opens nothing")
    assert "canary" not in "".join(lines)


def test_rotation_prints_a_new_secret_and_the_old_one_has_its_grace(table: Any) -> None:
    """Without --grace it stops at once."""
    former, key_id = created(table)
    newer = key(table, "rotate", key_id, "--grace", "60")[0]
    newest = key(table, "rotate", key_id)[0]
    record = KeyTable(table).get(key_id)
    assert is_proved(hash_of(newest), record, now_s=NOW_S)
    assert not is_proved(hash_of(newer), record, now_s=NOW_S)
    assert not is_proved(hash_of(former), record, now_s=NOW_S)


def test_plans_and_team_policies_are_set_and_shown(table: Any) -> None:
    """Both limit a key; the smaller counts."""
    _, key_id = created(table)
    key(table, "set-plan-limits", "pro", "--calls-per-minute", "600")
    key(table, "set-team", "me", "--key-calls-per-minute", "30", "--tokens-per-month", "5000")
    key(table, "set-plan", key_id, "pro")
    said = "\n".join(key(table, "show", key_id) + key(table, "plans") + key(table, "teams"))
    assert "plan pro: calls per minute 600" in said
    assert "team me: key calls per minute 30, tokens per month 5,000" in said
    assert "unlimited            no limit" in said
    key(table, "remove-team", "me")
    assert key(table, "teams")[0].startswith("No team has a policy")


def test_a_limit_that_is_not_named_is_kept(table: Any) -> None:
    """To leave a limit out must not take it away: `none` does."""
    assert key(table, "set-plan-limits", "free", "--calls-per-minute", "60") == [
        "Plan free: calls per minute 60, tokens per month 2,000,000 (kept)."
    ]
    assert key(table, "set-plan-limits", "free", "--tokens-per-month", "none") == [
        "Plan free: calls per minute 60 (kept), tokens per month no limit."
    ]
    assert key(table, "set-plan-limits", "pro", "--calls-per-minute", "600") == [
        "Plan pro: calls per minute 600, tokens per month no limit."
    ]
    key(table, "set-team", "me", "--calls-per-minute", "30", "--key-tokens-per-month", "7")
    key(table, "set-team", "me", "--calls-per-minute", "none")
    assert KeyTable(table).teams()["me"].model_dump(exclude_none=True) == {"key_tokens_per_month": 7}
    assert KeyTable(table).plans()["free"].model_dump(exclude_none=True) == {"calls_per_minute": 60}


def test_a_policy_that_cannot_be_read_can_be_removed(table: Any) -> None:
    """Somebody has edited its row: every look at the policies fails until it is gone."""
    table.put_item(Item={"pk": "TEAM#me", "sk": "POLICY", "calls_per_minute": "many"})
    key(table, "remove-team", "me")
    assert key(table, "teams")[0].startswith("No team has a policy")


@pytest.mark.parametrize("scope", ["gatewy", "gateway:smart_fetsh", "lab"])
def test_a_scope_that_opens_nothing_is_warned_of(table: Any, scope: str) -> None:
    """The key is made all the same."""
    lines = key(table, "create", "--team", "me", "--scope", scope)
    assert lines[-1].startswith(f"Warning: {scope} opens no")
    assert len(key(table, "list")) == 1


def test_scopes_that_open_something_are_not_warned_of(table: Any) -> None:
    """Remote tools come and go with their connections."""
    words = ["--scope", "gateway:smart_fetch", "--scope", "gateway", "--scope", "remote:notes__find_note"]
    assert "Warning" not in "".join(key(table, "create", "--team", "me", *words))


def test_the_example_policy_is_stored_as_it_stands(table: Any) -> None:
    """README, "Run your own gateway"."""
    file = Path(__file__).parents[2] / "docs" / "policy.example.json"
    key(table, "policy", str(file))
    expected = json.loads(file.read_text("utf-8"))
    keys = KeyTable(table)
    assert {name: team.model_dump(exclude_none=True) for name, team in keys.teams().items()} == expected["teams"]
    assert keys.plans()["pro"].model_dump(exclude_none=True) == expected["plans"]["pro"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create"], "--team"),
        (["create", "--team", "a b"], "letters"),
        (["create", "--team", "me", "--plan", "gold"], "free, unlimited"),
        (["create", "--team", "me", "--scope", "Gate Way"], "gateway:smart_fetch"),
        (["create", "--team", "me", *(f"--scope=gateway:t{number}" for number in range(33))], "32 scopes"),
        (["show", "nobody"], "no key with this id"),
        (["disable", "nobody"], "no key with this id"),
        (["rotate", "nobody"], "no key with this id"),
        (["rotate", "nobody", "--grace", "-1"], "--grace"),
        (["set-plan-limits", "pro", "--calls-per-minute", "-1"], "whole number"),
        (["set-plan-limits", "pro", "--calls-per-minute", "9" * 40], "15 digits"),
        (["set-plan-limits", "pro"], "Name a limit, as --calls-per-minute"),
        (["set-team", "me"], "Name a limit"),
        (["remove-team", "nobody"], "No team of this name has a policy"),
        (["policy", "/nowhere/at/all.json"], "could not be read"),
        (["frob"], "invalid choice"),
        ([], "Name a command"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(table: Any, words: list[str], said: str) -> None:
    """It says what is allowed, and nothing is stored."""
    with pytest.raises(LocalError, match=said):
        key(table, *words)
    assert key(table, "list") == ["There is no key yet: create --team NAME"]


def test_a_budget_below_one_call_is_warned_of(table: Any) -> None:
    """Most tools would be refused all month, and nobody would know why."""
    assert "sets aside up to 20,000" in key(table, "set-plan-limits", "tiny", "--tokens-per-month", "3000")[-1]
    assert len(key(table, "set-plan-limits", "tiny", "--tokens-per-month", "20000")) == 1


def test_a_policy_of_nothing_says_so(table: Any, tmp_path: Path) -> None:
    """A file for something else must not look stored."""
    (tmp_path / "empty.json").write_text("{}")
    assert "nothing has changed" in key(table, "policy", str(tmp_path / "empty.json"))[0]


def test_without_a_command_all_are_named(table: Any) -> None:
    """What can be done comes before how."""
    with pytest.raises(LocalError, match="create, list, show"):
        key(table)
