"""Arguments against the tool's schema, put right before validation.

Source: HOSTS rule 11: what real models and hosts send; and our own first rule: what is right is never changed.
"""

import copy
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field

from mcpserver import CallContext, mcpserver_called
from mcpserver.repair import WORDS_FOR_NOTHING, compile_repair
from mcpserver.schema import input_schema_of
from tests.fixture_servers import SearchLogs, serving
from tests.mcpserver.posts import call_tool, request


class Part(BaseModel):
    """A member that is an object."""

    count: int = 1
    note: str | None = None


class Cat(BaseModel):
    """One of two kinds."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    """The other of two kinds."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["dog"]
    name: str


class Arguments(BaseModel):
    """One member of each kind."""

    text: str
    count: int = 0
    share: float = 0.0
    is_open: bool = False
    word: Literal["none", "some"] = "some"
    parts: list[Part] = Field(default_factory=list)
    numbers: list[int] = Field(default_factory=list)
    part: Part | None = None
    by_name: dict[str, int] = Field(default_factory=dict)
    either: int | str = 0
    flag_or_number: bool | int | None = None
    lists: list[int] | list[str] = Field(default_factory=list)
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None
    either_pet: Cat | Dog | None = None


SCHEMA = input_schema_of(Arguments)
REPAIR = compile_repair(SCHEMA)


def repaired(**arguments: Any) -> Any:
    """Return *arguments* as the tool gets them, beside a right `text`."""
    found = dict(REPAIR({"text": "x", **arguments})[0])
    assert found.pop("text") == "x"
    return found


@pytest.mark.parametrize("key", ["wait_for_previous", "toolCallId", "sessionId", "TEXT", "", "\u017fhare"])
def test_a_key_that_the_schema_does_not_know_is_dropped(key: str) -> None:
    """Gemini CLI adds `wait_for_previous` to every tool; n8n adds its own."""
    assert repaired(**{key: True}) == {}


def test_an_unknown_key_is_kept_where_the_schema_takes_it() -> None:
    """The author said `extra="allow"`."""

    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

    assert compile_repair(input_schema_of(Open))({"more": "2"}) == ({"more": "2"}, [])


@pytest.mark.parametrize("nothing", [None, "", "null", "none", "undefined", "NULL", "None"])
@pytest.mark.parametrize("name", ["count", "part", "share", "is_open", "numbers", "either"])
def test_a_word_for_nothing_in_an_optional_member_is_absence(name: str, nothing: Any) -> None:
    """HOSTS rule 11: null, "" and the words "null", "none", "undefined"."""
    assert repaired(**{name: nothing}) == {}


@pytest.mark.parametrize("word", ["", "null", "none", "undefined"])
def test_a_required_text_keeps_a_word_for_nothing(word: str) -> None:
    """A required member cannot be absent: the tool decides."""
    assert REPAIR({"text": word}) == ({"text": word}, [])


def test_a_word_for_nothing_that_the_schema_means_is_kept() -> None:
    """An enumeration may well have a value called "none"."""
    assert repaired(word="none") == {"word": "none"}


@pytest.mark.parametrize(
    ("name", "sent", "meant"),
    [
        ("count", "2", 2),
        ("count", "-2", -2),
        ("count", " 2 ", 2),
        ("count", 3.0, 3),
        ("count", "3.0", 3),
        ("share", "0.5", 0.5),
        ("share", "2", 2),
        ("is_open", "true", True),
        ("is_open", "False", False),
        ("numbers", "[1, 2]", [1, 2]),
        ("numbers", ["1", 2.0], [1, 2]),
        ("parts", '[{"count": "2"}]', [{"count": 2}]),
        ("parts", [{"count": "2", "note": ""}], [{"count": 2}]),
        ("part", '{"count": 2}', {"count": 2}),
        ("part", {"count": "2", "note": None}, {"count": 2}),
        ("by_name", '{"a": 1}', {"a": 1}),
        ("flag_or_number", "true", True),
        ("flag_or_number", "7", 7),
    ],
)
def test_what_a_model_spells_is_read_as_what_it_means(name: str, sent: Any, meant: Any) -> None:
    """HOSTS rule 11: "2" -> 2, "true" -> true, 3.0 -> 3, a JSON text of an array or object -> that; nested too."""
    (found,) = repaired(**{name: sent}).values()
    assert found == meant
    assert type(found) is type(meant)


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("count", "two"),
        ("count", "2.5"),
        ("count", 2.5),
        ("count", "1e999"),
        ("count", "NaN"),
        ("count", [1]),
        ("share", "1e999"),
        ("share", "Infinity"),
        ("share", "-"),
        ("is_open", "yes"),
        ("is_open", 1),
        ("numbers", "1, 2"),
        ("numbers", '{"a": 1}'),
        ("part", "[1]"),
        ("part", "not JSON"),
        ("text", 5),
        ("text", ["x"]),
    ],
)
def test_what_cannot_be_meant_is_left_for_the_validation(name: str, sent: Any) -> None:
    """No guessing: the model gets an error that says what is allowed."""
    found, changed = REPAIR({name: sent})
    assert (found[name], changed) == (sent, [])


@pytest.mark.parametrize("name", ["count", "share"])
@pytest.mark.parametrize("value", [True, False])
def test_a_boolean_is_no_number(name: str, value: bool) -> None:  # noqa: FBT001 -- a test's parameter
    """JSON Schema: true is no integer, though Pydantic would take it for 1."""
    result = call_tool(_tool(), {"text": "x", name: value})
    assert result["isError"] is True
    assert name in result["content"][0]["text"]


@pytest.mark.parametrize("digits", ["9" * 400, "9" * 6000, "1e300", "-" + "9" * 5000, "0." + "1" * 6000])
@pytest.mark.parametrize("name", ["count", "share", "either"])
def test_a_huge_number_never_crashes(name: str, digits: str) -> None:
    """Python refuses to convert more than 4,300 digits, with a ValueError: the model gets an answer."""
    result = call_tool(_tool(), {"text": "x", name: digits})
    assert len(result["content"][0]["text"]) < 80_001


def test_a_huge_float_is_an_integer_of_its_value() -> None:
    """1e300 is integral; the tool's own bounds say no."""
    assert repaired(count=1e300) == {"count": int(1e300)}


def test_a_value_that_one_branch_takes_is_left_to_it() -> None:
    """A union: the text "5" is a text where text is taken."""
    assert repaired(either="5") == {"either": "5"}
    assert repaired(either=5) == {"either": 5}


@pytest.mark.parametrize("value", [["1", "2"], ["a", "1"], [1, 2]])
def test_a_list_goes_to_the_branch_that_takes_it(value: list[Any]) -> None:
    """Two branches of one JSON type: what fits one as it is stays."""
    assert repaired(lists=value) == {"lists": value}


@pytest.mark.parametrize("name", ["pet", "either_pet"])
@pytest.mark.parametrize("pet", [{"kind": "dog", "name": "5"}, {"kind": "cat", "lives": 9}])
def test_an_object_goes_to_the_branch_that_takes_it(name: str, pet: dict[str, Any]) -> None:
    """A union of models: the first branch may not eat the second's members."""
    assert repaired(**{name: pet}) == {name: pet}
    assert call_tool(_tool(), {"text": "x", name: pet})["isError"] is False


def test_a_missing_required_member_is_an_error_that_names_it() -> None:
    """HOSTS rule 11: an `isError` result that names it."""
    result = call_tool(_tool(), {"count": "2"})
    assert (result["isError"], result["content"][0]["text"]) == (
        True,
        "Error: invalid arguments for search_logs: text: Field required",
    )


def test_a_repair_is_noted_by_the_members_name_and_never_its_value() -> None:
    """SPEC 2.4: what was changed is logged; STYLE: never an argument's value, and an unknown key is one."""
    changes: list[str] = []

    def note(_server: object, *, context: CallContext, **_rest: Any) -> None:
        changes.extend(kind for _, kind in context.all_changes())

    server = serving(_tool())
    arguments = {"text": "x", "count": "2", "CANARY": "CANARY"}
    with mcpserver_called.connected_to(note, sender=server):
        server.handle(request("tools/call", {"name": "search_logs", "arguments": arguments}))
    assert changes == ["argument: count", "argument: unknown"]


def test_the_arguments_that_go_in_are_untouched() -> None:
    """A batch or a retry may read them again."""
    arguments = {"text": "x", "count": "2", "parts": [{"count": "2", "note": None}], "zzz": 1}
    before = copy.deepcopy(arguments)
    REPAIR(arguments)
    assert arguments == before


WORDS = st.text(max_size=12).filter(lambda text: text.lower() not in WORDS_FOR_NOTHING)
INTEGERS = st.integers(-(2**70), 2**70)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PARTS = st.fixed_dictionaries({}, optional={"count": INTEGERS, "note": WORDS})
PETS = st.one_of(
    st.fixed_dictionaries({"kind": st.just("dog"), "name": st.text(max_size=5)}),
    st.fixed_dictionaries({"kind": st.just("cat"), "lives": INTEGERS}),
)
VALID = st.fixed_dictionaries(
    {"text": st.text(max_size=12)},
    optional={
        "count": INTEGERS,
        "share": st.one_of(FLOATS, INTEGERS),
        "is_open": st.booleans(),
        "word": st.sampled_from(["none", "some"]),
        "parts": st.lists(PARTS, max_size=3),
        "numbers": st.lists(INTEGERS, max_size=3),
        "part": PARTS,
        "by_name": st.dictionaries(st.text(max_size=4), INTEGERS, max_size=3),
        "either": st.one_of(INTEGERS, WORDS),
        "flag_or_number": st.one_of(st.booleans(), INTEGERS),
        "lists": st.one_of(st.lists(INTEGERS, max_size=3), st.lists(st.text(max_size=5), max_size=3)),
        "pet": PETS,
        "either_pet": PETS,
    },
)


@settings(max_examples=100, deadline=None)
@given(VALID)
def test_valid_arguments_are_never_changed(arguments: dict[str, Any]) -> None:
    """Our own first rule: a repair that changes what is right is worse than none."""
    Draft202012Validator(SCHEMA).validate(arguments)
    found, changed = REPAIR(arguments)
    assert found is arguments
    assert changed == []


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), INTEGERS, st.floats(), st.text(max_size=8), st.sampled_from(["[1", "1e999"])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from([*SCHEMA["properties"], "zzz"]), ANYTHING, max_size=5))
def test_no_arguments_at_all_crash_the_repair(arguments: dict[str, Any]) -> None:
    """Arguments are a model's and an attacker's text; a repair twice is a repair once."""
    found, _ = REPAIR(arguments)
    assert repr(REPAIR(found)[0]) == repr(found)
    assert found.keys() <= SCHEMA["properties"].keys()


def _tool() -> SearchLogs:
    class Echoing(SearchLogs):
        arguments_model: type[BaseModel] = Arguments

        def run(self, arguments: Any) -> Any:
            return arguments.model_dump_json()

    return Echoing()
