"""Arguments against the tool's schema: what models get wrong in every era, put right before validation.

Keys that the schema does not know are dropped; null, "" or the words for nothing in an optional member mean that it
is absent; "2" is 2, "true" is true, 3.0 is 3 and a JSON text is the array or object it spells, where that is wanted.
The schema is compiled once, when the tool is made: a call walks its arguments, never the schema.
Source: HOSTS rule 11, measured (Claude Code, Cursor, Gemini CLI, n8n, Langflow, OpenCode, Codex).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic_core import from_json

type Schema = Mapping[str, Any]
type Fix = Callable[[Any], Any]
"""Takes a value and returns it, or what it should have been: a different object where it was changed."""

WORDS_FOR_NOTHING: Final = frozenset({"", "null", "none", "undefined"})

MAX_JSON_TEXT_CHARACTERS: Final = 100_000
"""The longest JSON text that is read as the array or object it spells."""

MAX_VALUES: Final = 20_000
"""The most values that one call's arguments may hold: validating more takes seconds, and a gigabyte."""

_ABSENT: Final = object()


def has_too_many_values(arguments: Mapping[str, Any]) -> bool:
    """Tell whether *arguments* hold more than `MAX_VALUES` values, at any depth."""
    waiting: list[Any] = [value for value in arguments.values() if type(value) in (list, dict)]
    count = len(arguments)
    while waiting and count <= MAX_VALUES:
        node = waiting.pop()
        children = node.values() if type(node) is dict else node
        count += len(node)
        waiting += [child for child in children if type(child) in (list, dict)]
    return count > MAX_VALUES


@dataclass(frozen=True, slots=True)
class Repair:
    """One tool's schema, compiled."""

    fixes: Mapping[str, Fix]
    """What to do with each member; a member that is not here is unknown to the schema."""
    keeps_unknown: bool
    """The schema takes members that it does not name."""

    def __call__(self, arguments: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
        """Return the repaired arguments and the *names* of the members that changed, never their values."""
        changed: list[str] = []
        has_unknown = False
        repaired: dict[str, Any] = {}
        for name, value in arguments.items():
            fix = self.fixes.get(name)
            if fix is None:
                if self.keeps_unknown:
                    repaired[name] = value
                else:
                    # The name is not the schema's: a host's or an attacker's text, so the log does not get it.
                    has_unknown = True
                continue
            fixed = fix(value)
            if fixed is not value:
                changed.append(name)
            if fixed is not _ABSENT:
                repaired[name] = fixed
        if has_unknown:
            changed.append("unknown")
        return (repaired, changed) if changed else (arguments, changed)


def compile_repair(schema: Schema) -> Repair:
    """Compile a simplified object schema (no `$ref`: see `schema.py`)."""
    required = schema.get("required", ())
    fixes = {
        name: _fix_of(part) if name in required else _optional(_fix_of(part), part)
        for name, part in schema.get("properties", {}).items()
    }
    return Repair(fixes, keeps_unknown=schema.get("additionalProperties") is not False)


def _optional(fix: Fix, part: Schema) -> Fix:
    meant = {str(value).lower() for value in part.get("enum", ())}
    nothing = WORDS_FOR_NOTHING - meant

    def fix_optional(value: Any) -> Any:
        if value is None or (type(value) is str and len(value) < 10 and value.lower() in nothing):
            return _ABSENT
        return fix(value)

    return fix_optional


def _fix_of(part: Schema) -> Fix:
    branches = part.get("anyOf") or part.get("oneOf")
    if branches:
        return _any_of([(_fit_of(branch), _fix_of(branch)) for branch in branches])
    kind = part.get("type")
    if kind == "object":
        return _object(part)
    if kind == "array":
        return _array(part)
    return _SCALARS.get(kind, _as_is)


def _as_is(value: Any) -> Any:
    return value


_PYTHON_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


type Fit = Callable[[Any], bool]
"""Tells whether a schema takes a value as it is: type, members, items and choices, not ranges or patterns."""


def _fit_of(part: Schema) -> Fit:
    types = _PYTHON_TYPES.get(part.get("type", ""))
    choices = part.get("enum")
    members = {name: _fit_of(member) for name, member in part.get("properties", {}).items()}
    required = frozenset(part.get("required", ()))
    is_closed = part.get("additionalProperties") is False
    item_fits = _fit_of(part["items"]) if part.get("items") else None

    def fits(value: Any) -> bool:
        if (types is not None and type(value) not in types) or (choices is not None and value not in choices):
            return False
        if type(value) is list and item_fits is not None:
            return all(map(item_fits, value))
        if type(value) is not dict:
            return True
        if not required <= value.keys() or (is_closed and not value.keys() <= members.keys()):
            return False
        return all(members[name](member) for name, member in value.items() if name in members)

    return fits


def _any_of(branches: list[tuple[Fit, Fix]]) -> Fix:
    """Leave a value that one branch takes as it is; else give it to the first branch that can mend it."""

    def fix(value: Any) -> Any:
        if any(fits(value) for fits, _ in branches):
            return value
        for fits, mend in branches:
            mended = mend(value)
            if fits(mended):
                return mended
        return value

    return fix


def _integer(value: Any) -> Any:
    if type(value) is bool:
        return _refused(value)
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is str:
        number = _json_in(value, (int, float))
        if type(number) is float and number.is_integer():
            return int(number)
        return number if type(number) is int else value
    return value


def _refused(value: bool) -> str:  # noqa: FBT001 -- the argument's value
    """Return text for a boolean where a number belongs: Pydantic would take True for 1, JSON Schema does not."""
    return str(value).lower()


def _number(value: Any) -> Any:
    if type(value) is bool:
        return _refused(value)
    if type(value) is str:
        number = _json_in(value, (int, float))
        return value if number is None else number
    return value


def _boolean(value: Any) -> Any:
    if type(value) is str:
        return {"true": True, "false": False}.get(value.lower(), value)
    return value


_SCALARS: Final[Mapping[Any, Fix]] = {"integer": _integer, "number": _number, "boolean": _boolean}


def _json_in(text: str, types: tuple[type, ...]) -> Any:
    """Return the JSON value that *text* spells if it has one of *types*, None otherwise."""
    if len(text) > MAX_JSON_TEXT_CHARACTERS:
        return None
    try:
        value = from_json(text, allow_inf_nan=False)
    except (ValueError, RecursionError):
        return None
    # 1e999 parses to infinity, which no JSON can answer with.
    if type(value) not in types or value in (float("inf"), float("-inf")):
        return None
    return value


def _array(part: Schema) -> Fix:
    fix_item = _fix_of(part.get("items") or {})

    def fix(value: Any) -> Any:
        items = value
        if type(value) is str:
            items = _json_in(value, (list,))
            if items is None:
                return value
        if type(items) is not list:
            return value
        fixed = [fix_item(item) for item in items]
        same = items is value and all(new is old for new, old in zip(fixed, items, strict=True))
        return value if same else fixed

    return fix


def _object(part: Schema) -> Fix:
    repair = compile_repair(part)

    def fix(value: Any) -> Any:
        members = value
        if type(value) is str:
            members = _json_in(value, (dict,))
            if members is None:
                return value
        return repair(members)[0] if type(members) is dict else value

    return fix
