"""References: a parameter of a step that stands for what an earlier step returned.

`$1.markdown` is the member `markdown` of the first step's result, `$1.results.0.url` (or `[0]`) the url of its first
hit, `$1.results.*.snippet` a list of each hit's snippet. Only a whole value is one: text stays text, "$1.50" too. What
looks like a reference and is none is an error: handed on as text it would be kept, shortened or searched for.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from mcpserver import MCPServerToolError

_PART: Final = r"(?:\.(?:[A-Za-z0-9_]{1,64}|\*)|\[(?:[0-9]{1,4}|\*)\])"

_REFERENCE: Final = re.compile(rf"\$([1-9][0-9]?)({_PART}{{0,8}})")

_AMOUNT: Final = re.compile(r"\$[0-9]+(\.[0-9]+)?")

_ALIKE: Final = re.compile(
    r"\$\{\s*[0-9].*\}"  # ${1.text}
    r"|\$[0-9]+\s*[.\[].*"  # $0.text, $1[text], $1.a-b
    r"|\$\{?(?:prev|previous|last|steps?|step_?[0-9]+|results?|outputs?)\b.*"  # $prev.text, ${steps[0].text}
    r"|\$[.\[].*"  # $.steps[0].text
    r"|\{\{.*\}\}"  # {{ steps.0.text }}
)
"""How other pipelines write references: a whole value like one of these is not taken for text."""

_INSIDE: Final = re.compile(r"\$([1-9][0-9]?)\.([A-Za-z_][A-Za-z0-9_]{0,63})")

_MAX_ALIKE: Final = 200
"""Characters: what is longer is text."""

MAX_RESOLVED_CHARACTERS: Final = 2_000_000
"""Of all texts that the references of one step stand for."""

_MAX_NAMED: Final = 12
"""Members that an error lists."""

_RULE: Final = (
    "a reference is $, the number of an earlier step (they count from 1) and a member, as the whole value: "
    "$1.markdown, $1.results.0.url, $1.results.*.snippet"
)


def resolve(
    params: Mapping[str, Any],
    earlier: Sequence[Mapping[str, Any]],
    *,
    names: Collection[str],
    texts: Collection[str] = (),
) -> dict[str, Any]:
    """Return *params* with each reference in them replaced by what it stands for.

    Args:
        params: a step's parameters.
        earlier: the results of the steps before it.
        names: the parameters that its tool has; an error names no other.
        texts: those that are texts: a list of texts that a reference stands for becomes one, a paragraph each.

    Raises:
        MCPServerToolError: a reference leads nowhere, or what looks like one is none.
    """
    resolved: dict[str, Any] = {}
    for name, value in params.items():
        try:
            found = _resolved(value, earlier)
            resolved[name] = _joined(found) if name in texts and isinstance(value, str) else found
        except MCPServerToolError as error:
            raise MCPServerToolError(f"{name}: {error}" if name in names else str(error)) from None
    if _characters_of(resolved) > MAX_RESOLVED_CHARACTERS:
        raise MCPServerToolError(f"the references stand for more than {MAX_RESOLVED_CHARACTERS} characters: use fewer.")
    return resolved


def _characters_of(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(_characters_of, items))


def _joined(found: Any) -> Any:
    """Return a list of texts as one text."""
    is_texts = isinstance(found, list) and found and all(isinstance(item, str) for item in found)
    return "\n\n".join(found) if is_texts else found


def _resolved(value: Any, earlier: Sequence[Mapping[str, Any]]) -> Any:
    if isinstance(value, str):
        return _of_text(value, earlier)
    if isinstance(value, dict):
        return {name: _resolved(item, earlier) for name, item in value.items()}
    return [_resolved(item, earlier) for item in value] if isinstance(value, list) else value


def _of_text(text: str, earlier: Sequence[Mapping[str, Any]]) -> Any:
    written = text.strip() if len(text) <= _MAX_ALIKE else text
    found = _REFERENCE.fullmatch(written)
    if found and (found[2] and not _AMOUNT.fullmatch(written)):
        return _follow(int(found[1]), re.findall(r"[A-Za-z0-9_]+|\*", found[2]), earlier)
    if _is_alike(written, earlier):
        raise MCPServerToolError(f"{_RULE}.")
    for inside in _INSIDE.finditer(text):
        if int(inside[1]) <= len(earlier) and inside[2] in earlier[int(inside[1]) - 1]:
            raise MCPServerToolError(f"nothing is put into the middle of a text: {_RULE}.")
    return text


def _is_alike(written: str, earlier: Sequence[Mapping[str, Any]]) -> bool:
    if len(written) > _MAX_ALIKE:
        return False
    if _AMOUNT.fullmatch(written):
        # "$1" is an amount, unless there is a step that it could be.
        return written[1:].isdigit() and 1 <= int(written[1:]) <= len(earlier)
    return _ALIKE.fullmatch(written) is not None


def _follow(number: int, path: Sequence[str], earlier: Sequence[Mapping[str, Any]]) -> Any:
    if number > len(earlier):
        raise MCPServerToolError(f"a reference names step {number}, which has not run before this one.")
    return _found(earlier[number - 1], path, number)


def _found(value: Any, path: Sequence[str], number: int) -> Any:
    for place, part in enumerate(path):
        if part == "*" and isinstance(value, list):
            return [_found(item, path[place + 1 :], number) for item in value]
        if isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            raise MCPServerToolError(
                f"the reference leads to nothing in the result of step {number}: there is {_content(value)}."
            )
    return value


def _content(value: Any) -> str:
    """Say what a reference could name in *value*, without any of it."""
    if isinstance(value, dict) and value:
        return ", ".join([*value][:_MAX_NAMED])
    if isinstance(value, list):
        return f"a list of {len(value)} (.0 is its first item, .* stands for each)" if value else "an empty list"
    return "no member"
