"""The `smart_dedup` tool."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import BaseModel, Field

from functions.gateway.near_duplicates import near_duplicates
from functions.gateway.smart_tool import SmartTool, Spent
from functions.gateway.tokens import (
    DEFAULT,
    MAX_RESULT_CHARACTERS,
    MAX_RESULT_TOKENS,
    count_tokens,
    spend,
    token_ceiling,
)
from mcpserver import MCPServerToolError

MAX_TEXTS: Final = 2_000
MAX_TOTAL_CHARACTERS: Final = 1_000_000
MAX_REMOVED_TOKENS: Final = 8_000
"""Of one result: the rows of `removed` beyond are left out, and what stays is seen from `kept`."""
_ROW_TOKENS: Final = 30
"""What a place in `kept`, or a row of `removed`, costs at most with its share of the brackets."""
_FRAME_TOKENS: Final = 100
"""The same of the names of the members, and of the rest of a text that is cut short by the limit."""
_DIGITS: Final = 3


class DedupArguments(BaseModel):
    """What `smart_dedup` takes."""

    texts: list[str] = Field(max_length=MAX_TEXTS, description="Texts that may repeat each other.")
    threshold: float = Field(
        0.9,
        ge=0,
        le=1,
        description="How alike two texts must be for the later one to go: 1 = only case, space, punctuation and markup "
        "differ, 0.9 = small edits and another word order too, 0 = keep only the first.",
    )


class Removed(BaseModel):
    """One text that was left out."""

    index: int = Field(description="Its place in `texts` as given.")
    duplicate_of: int = Field(description="The place of the kept text that it repeats.")
    score: float = Field(description="How alike the two are, 0 to 1.")


class Distinct(Spent):
    """What `smart_dedup` returns."""

    kept: list[int] = Field(description="The places of the texts that stay, in order.")
    removed: list[Removed] = Field(description="The texts that were left out; the first ones where they are many.")
    texts: list[str] = Field(description="The texts that stay, in order.")
    truncated: bool = Field(
        description="`texts` or `removed` holds only the first ones, as many as one result may; `kept` is complete."
    )


class SmartDedup(SmartTool[DedupArguments]):
    """Leaves out what was said before."""

    name = "smart_dedup"
    description = (
        "Purpose: drop texts that repeat an earlier one, to save tokens in your context. "
        "When to use: on search results, snippets of several pages, log lines, tickets or notes before they go into "
        "the conversation. "
        "When not: to find texts that say the same in other words (it compares letters, not meaning), or where each "
        "repetition counts. "
        "Returns: kept (places in the input), removed (index, duplicate_of, score), texts (the kept ones, word for "
        "word, in order), truncated, and the tokens saved. Texts that differ in a figure, a unit, a name, a code "
        "or a negation are no duplicates at the default threshold. "
        "Composes with: smart_search or smart_fetch before it, smart_context_gate after it; smart_pipe runs them in "
        "one call."
    )
    arguments_model = DedupArguments

    def run(self, arguments: DedupArguments) -> Distinct:
        """Return the texts that repeat no earlier one."""
        if sum(map(len, arguments.texts)) > MAX_TOTAL_CHARACTERS:
            raise MCPServerToolError(f"texts: together at most {MAX_TOTAL_CHARACTERS} characters; send them in parts.")
        kept, duplicates = near_duplicates(arguments.texts, arguments.threshold)
        removed = [
            Removed(index=found.index, duplicate_of=found.duplicate_of, score=round(found.score, _DIGITS))
            for found in duplicates
        ]
        rows = [row.model_dump() for row in removed]
        rows = rows[: _how_many(map(_json, rows), MAX_REMOVED_TOKENS)]
        rest = MAX_RESULT_TOKENS - count_tokens(_json(kept)) - count_tokens(_json(rows)) - _FRAME_TOKENS
        staying = [arguments.texts[index] for index in kept]
        texts = staying[: _how_many(map(_json, staying), rest, MAX_RESULT_CHARACTERS)]
        return Distinct(
            **spend("\n".join(arguments.texts), _json({"kept": kept, "removed": rows, "texts": texts})),
            kept=kept,
            removed=removed[: len(rows)],
            texts=texts,
            truncated=len(texts) < len(kept) or len(rows) < len(removed),
        )

    def token_bound(self, arguments: Mapping[str, Any]) -> int:
        """Return what one result holds, or less where the texts are short: each token stands for a byte at least."""
        texts = arguments.get("texts")
        if not isinstance(texts, (list, str)):
            return 0
        try:
            size = len(_json(texts).encode("utf-8", "surrogatepass"))
        except (TypeError, ValueError, RecursionError):
            return MAX_RESULT_TOKENS
        return min(MAX_RESULT_TOKENS, token_ceiling(size) + len(texts) * _ROW_TOKENS + _FRAME_TOKENS)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _how_many(pieces: Iterable[str], tokens: int, characters: int = MAX_RESULT_CHARACTERS) -> int:
    """Return how many of *pieces*, from the first, fit into *tokens* and *characters* together."""
    found = list(pieces)
    for number, (piece, cost) in enumerate(zip(found, DEFAULT.count_each(found), strict=True)):
        # One more for the comma between two.
        tokens, characters = tokens - cost - 1, characters - len(piece)
        if tokens < 0 or characters < 0:
            return number
    return len(found)
