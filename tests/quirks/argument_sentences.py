"""The notes on tool calls as checks: what arguments mean, what results look like.

The sentence itself stands in `corpus/quirks.jsonl`; a check's docstring says how it is read.
"""

import json
from collections.abc import Mapping
from typing import Final

from mcpserver import tool
from mcpserver.content import MAX_TEXT_CHARACTERS
from tests.mcpserver.posts import call_tool
from tests.quirks.asked import Asked, Check


def absent_arguments_are_none(asked: Asked) -> None:
    """The same answer as to `{}`."""
    assert asked.result == asked.result_of({})


def json_text_is_the_array(asked: Asked) -> None:
    """The same answer as with the array itself, and duplicates were found in it."""
    arguments = asked.sent["params"]["arguments"]
    assert asked.result == asked.result_of({"texts": json.loads(arguments["texts"])})
    assert asked.result["structuredContent"]["kept"] == [0]


def text_of_a_number_is_the_number(asked: Asked) -> None:
    """The same answer as with the number; and so for a boolean, where a tool has one."""
    arguments = asked.sent["params"]["arguments"]
    assert asked.result == asked.result_of(arguments | {"threshold": float(arguments["threshold"])})

    @tool
    def remember(keep: bool) -> str:  # noqa: FBT001 -- the argument that is wanted
        """Say what it got."""
        return f"{keep!r}"

    texts = {text: call_tool(remember, {"keep": text})["content"][0]["text"] for text in ("true", "false", "True")}
    assert texts == {"true": "True", "false": "False", "True": "True"}


def empty_text_is_absent(asked: Asked) -> None:
    """The same answer as without them."""
    assert asked.result == asked.without("team_id", "model")
    assert "team_id" not in asked.result["structuredContent"]


def null_is_absent(asked: Asked) -> None:
    """The same answer as without them."""
    assert asked.result == asked.without("team_id", "messages", "monthly_limit")


def words_for_nothing_are_absent(asked: Asked) -> None:
    """null, none, undefined, in any case; a team may still be called something else."""
    arguments = asked.sent["params"]["arguments"]
    for word in ("null", "none", "undefined", "None", "NULL"):
        assert asked.result_of(arguments | {"team_id": word}) == asked.without("team_id")
    assert asked.result_of(arguments | {"team_id": "nulls"})["structuredContent"]["team_id"] == "nulls"


def half_a_pair_is_replaced(asked: Asked) -> None:
    """U+FFFD where the half stood; no half in the answer, as a character or as an escape."""
    result = asked.gateway.call("smart_context_gate", {"text": "x\ud83d"})
    assert result["structuredContent"]["text"] == "x\ufffd"
    assert "\\ud83d" not in asked.reply.body.lower()
    asked.reply.body.encode("utf-8")


def long_text_is_cut_and_says_so(asked: Asked) -> None:
    """At most some 20,000 tokens a block; where it is cut, JSON that says `truncated` and the total."""
    texts = [block["text"] for block in asked.result["content"]]
    assert all(len(text) <= MAX_TEXT_CHARACTERS for text in texts)
    said = json.loads(texts[0])
    whole = json.dumps(asked.result["structuredContent"], separators=(",", ":"), ensure_ascii=False)
    assert said["truncated"] is True
    assert max(value for value in said.values() if type(value) is int) == len(whole)


def unknown_argument_is_dropped(asked: Asked) -> None:
    """The same answer as without it, though the schema says that there is no such argument."""
    schema = next(one["inputSchema"] for one in asked.tools() if one["name"] == asked.sent["params"]["name"])
    assert schema["additionalProperties"] is False
    assert asked.result == asked.without("wait_for_previous")


def forwarded_text_is_the_number(asked: Asked) -> None:
    """The same answer as with the number that the host should have sent."""
    arguments = asked.sent["params"]["arguments"]
    assert asked.result == asked.result_of(arguments | {"threshold": 0.9})


def error_text_is_an_error(asked: Asked) -> None:
    """It begins with the word and names the member; a tool's own error begins so too."""
    text = asked.result["content"][0]["text"]
    assert text.startswith("Error")
    assert "action" in text
    own = asked.gateway.call("smart_pipe", {})
    assert own["isError"] is True
    assert own["content"][0]["text"].startswith("Error")


ARGUMENT_NOTES: Final[Mapping[str, Check]] = {
    "A06": absent_arguments_are_none,
    "B01": json_text_is_the_array,
    "B07": text_of_a_number_is_the_number,
    "B08": empty_text_is_absent,
    "B09": null_is_absent,
    "B10": words_for_nothing_are_absent,
    "B15": half_a_pair_is_replaced,
    "E16": long_text_is_cut_and_says_so,
    "F07": unknown_argument_is_dropped,
    "F10": forwarded_text_is_the_number,
    "F21": error_text_is_an_error,
}
"""By the case's id."""
