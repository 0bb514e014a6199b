"""`smart_memory`: one team's notes."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from functions.gateway.memory_table import MemoryFullError, MemoryTable
from functions.gateway.smart_memory import MAX_CHARACTERS, SmartMemory
from functions.gateway.tokens import MAX_RESULT_CHARACTERS, count_tokens
from local.embedded_aws import EmbeddedAws
from local.template import load_template
from tests.functions.gateway.conftest import Caller, caller_of
from tests.governance.conftest import ROOT, Clock, make_table

TOOL = "smart_memory"


@pytest.fixture
def caller(memory: MemoryTable, counters: Any, audit: Any, clock: Clock) -> Caller:
    """A key of team blue."""
    return caller_of([SmartMemory(memory, now_s=clock)], counters, audit, clock)


def texts(found: dict[str, Any]) -> list[str]:
    """Return the texts of the notes that were found."""
    return [note["text"] for note in found["memories"]]


def test_what_was_added_is_found_by_its_words(caller: Caller) -> None:
    """Ranked: the note that says most about the query comes first; one that says nothing is left out."""
    caller.answer(TOOL, action="add", text="The invoice goes to accounting on Fridays.")
    caller.answer(TOOL, action="add", text="The deployment window is Tuesday; the invoice service is frozen.")
    caller.answer(TOOL, action="add", text="Anna prefers tea.")
    found = texts(caller.answer(TOOL, action="search", query="deployment of the invoice service"))
    assert found[0].startswith("The deployment window")
    assert "Anna prefers tea." not in found


def test_no_team_sees_another_s_notes(caller: Caller) -> None:
    """GATEWAY.md: per tenant. Deleting another's id does nothing to it."""
    added = caller.answer(TOOL, action="add", text="Blue's secret plan.")
    red = caller.as_team("red")
    assert texts(red.answer(TOOL, action="search", query="secret plan")) == []
    red.answer(TOOL, action="delete", id=added["id"])
    assert texts(caller.answer(TOOL, action="list")) == ["Blue's secret plan."]


def test_deleting_twice_is_as_good_as_once(caller: Caller) -> None:
    """GATEWAY.md: delete is idempotent."""
    note = caller.answer(TOOL, action="add", text="Soon gone.")
    for _ in range(2):
        assert caller.answer(TOOL, action="delete", id=note["id"])["id"] == note["id"]
    assert caller.answer(TOOL, action="list")["total"] == 0


def test_adding_twice_keeps_one_note(caller: Caller) -> None:
    """A host that tries again after a lost answer does no harm."""
    first, second = (caller.answer(TOOL, action="add", text="Once. ") for _ in range(2))
    assert first["id"] == second["id"]
    assert caller.answer(TOOL, action="list")["total"] == 1


def test_a_list_is_the_newest_first_and_as_long_as_asked(caller: Caller, clock: Clock) -> None:
    """Default 5, at most 50."""
    for number in range(7):
        clock.now_s += 1
        caller.answer(TOOL, action="add", text=f"Note {number}.")
    assert texts(caller.answer(TOOL, action="list")) == [f"Note {number}." for number in (6, 5, 4, 3, 2)]
    assert len(texts(caller.answer(TOOL, action="list", limit=50))) == 7
    assert "limit" in caller.problem(TOOL, action="list", limit=51)


def test_long_notes_are_cut_to_one_result(caller: Caller) -> None:
    """HOSTS rule 14: about 20,000 tokens, and the answer says so."""
    for number in range(10):
        caller.answer(TOOL, action="add", text=f"{number} " + "tokens galore, " * 1000)
    found = caller.answer(TOOL, action="list", limit=10)
    assert found["truncated"] is True
    assert 15_000 < found["tokens_out"] <= 20_000
    assert found["tokens_saved"] == found["tokens_in"] - found["tokens_out"]


def test_what_an_answer_costs_is_the_whole_of_each_note(caller: Caller) -> None:
    """Its id and its time too; line breaks cost more as JSON."""
    notes = [(f"{number} " + '"a"\n' * 3_900).strip() for number in range(4)]
    for note in notes:
        caller.answer(TOOL, action="add", text=note)
    result = caller.result(TOOL, {"action": "list", "limit": 4})
    cut = result["structuredContent"]["memories"][-1]["text"]
    whole = next(note for note in notes if cut.startswith(note[:2]))
    assert cut.count("[truncated") == 1
    assert f"the whole text has {count_tokens(whole)} tokens" in cut
    spent = result["structuredContent"]["tokens_out"]
    assert spent <= 20_000
    assert 0 < count_tokens(result["content"][0]["text"]) - spent < 200


def test_deleting_says_whether_there_was_such_a_note(caller: Caller) -> None:
    """GATEWAY.md: idempotent; a wrong id is seen."""
    note = caller.answer(TOOL, action="add", text="Anna prefers tea.")["id"]
    assert [caller.answer(TOOL, action="delete", id=note)["deleted"] for _ in range(2)] == [True, False]


def test_a_long_list_of_long_words_is_one_result(caller: Caller) -> None:
    """Spaces cost few tokens and many characters: an answer of megabytes would not leave the function."""
    for number in range(10):
        caller.answer(TOOL, action="add", text=f"{number}{' ' * 15_000}end")
    found = caller.answer(TOOL, action="list", limit=10)
    assert found["truncated"] is True
    assert sum(len(text) for text in texts(found)) <= MAX_RESULT_CHARACTERS + 100


@pytest.mark.parametrize("query", ["rotate", "rotation", "rotating keys", "ROTATED"])
def test_a_word_is_found_in_another_form(caller: Caller, query: str) -> None:
    """Number, tense and case do not matter."""
    caller.answer(TOOL, action="add", text="The rotation of the key is due in May.")
    assert len(texts(caller.answer(TOOL, action="search", query=query))) == 1


def test_a_search_that_finds_nothing_says_what_to_try(caller: Caller) -> None:
    """It compares words: a model that knows can ask otherwise."""
    assert "hint" not in caller.answer(TOOL, action="search", query="exchange")
    caller.answer(TOOL, action="add", text="The rotation of the key is due in May.")
    assert "try others" in caller.answer(TOOL, action="search", query="exchange")["hint"]


def test_a_full_memory_says_so_and_one_note_less_makes_room(dynamodb: Any, template: Any) -> None:
    """GATEWAY.md: per tenant."""
    table = make_table(dynamodb, template, "MemoryTable")
    memory = MemoryTable(table, max_notes=3)
    ids = [memory.add("blue", f"note {number}", tokens=2, created_at="2026") for number in range(3)]
    with pytest.raises(MemoryFullError):
        memory.add("blue", "one too many", tokens=3, created_at="2026")
    memory.add("red", "not theirs", tokens=3, created_at="2026")
    assert memory.delete("blue", ids[0])
    memory.add("blue", "fits again", tokens=3, created_at="2026")
    table.delete()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"action": "add"}, "text"),
        ({"action": "add", "text": "   "}, "text"),
        ({"action": "add", "text": "x" * (MAX_CHARACTERS + 1)}, "16000"),
        ({"action": "search"}, "query"),
        ({"action": "delete"}, "id"),
        ({"action": "forget"}, "action"),
    ],
)
def test_what_is_missing_is_named(caller: Caller, arguments: dict[str, Any], word: str) -> None:
    """An error says what is allowed."""
    assert word in caller.problem(TOOL, **arguments)


def test_scripts_without_spaces_are_found(caller: Caller) -> None:
    """Chinese and Japanese write no spaces."""
    caller.answer(TOOL, action="add", text="会議は火曜日に東京で行われます。")
    caller.answer(TOOL, action="add", text="发票在星期五寄给会计部门。")
    assert texts(caller.answer(TOOL, action="search", query="東京の会議"))[0].startswith("会議")


def test_notes_added_at_once_are_all_counted() -> None:
    """The count moves with the note, in one transaction; those that get in each other's way are tried again."""
    aws = EmbeddedAws()
    try:
        aws.seed(load_template(ROOT / "template.yaml"))
        table = aws.resource("dynamodb").Table("MemoryTable")
        memory = MemoryTable(table)
        with ThreadPoolExecutor(4) as pool:
            ids = [*pool.map(lambda n: memory.add("blue", f"n{n}", tokens=1, created_at="2026"), range(8))]
        assert len({*ids}) == len(memory.all("blue")) == 8
        assert table.get_item(Key={"pk": "TEAM#blue", "sk": "COUNT"})["Item"]["notes"] == 8
    finally:
        aws.close()
