"""The `smart_dedup` tool."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, Field
from pydantic_core import to_json

from functions.gateway.near_duplicates import near_duplicates
from functions.gateway.smart_tool import SmartTool, Spent
from functions.gateway.tokens import DEFAULT, MAX_RESULT_CHARACTERS, MAX_RESULT_TOKENS, spend
from mcpserver import MCPServerToolError

MAX_TEXTS: Final = 2_000
MAX_TOTAL_CHARACTERS: Final = 1_000_000
_REMOVED_TOKENS: Final = 25
"""What one row of `removed` costs at most."""
_DIGITS: Final = 3


class Arguments(BaseModel):
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
    removed: list[Removed] = Field(description="The texts that were left out.")
    texts: list[str] = Field(description="The texts that stay, in order.")
    truncated: bool = Field(
        description="`texts` holds only the first of the kept ones, as many as one result may hold."
    )


class SmartDedup(SmartTool[Arguments]):
    """Leaves out what was said before."""

    name = "smart_dedup"
    description = (
        "Purpose: drop texts that repeat an earlier one, to save tokens in your context. "
        "When to use: on search results, snippets of several pages, log lines, tickets or notes before they go into "
        "the conversation. "
        "When not: to find texts that say the same in other words (it compares letters, not meaning), or where each "
        "repetition counts. "
        "Returns: kept (places in the input), removed (index, duplicate_of, score), texts (the kept ones, word for "
        "word, in order), truncated, and the tokens saved. Texts whose figures or negations differ are no duplicates "
        "at the default threshold. "
        "Composes with: smart_search or smart_fetch before it, smart_context_gate after it; smart_pipe runs them in "
        "one call."
    )
    arguments_model = Arguments

    def run(self, arguments: Arguments) -> Distinct:
        """Return the texts that repeat no earlier one."""
        if sum(map(len, arguments.texts)) > MAX_TOTAL_CHARACTERS:
            raise MCPServerToolError(f"texts: together at most {MAX_TOTAL_CHARACTERS} characters; send them in parts.")
        kept, duplicates = near_duplicates(arguments.texts, arguments.threshold)
        removed = [
            Removed(index=found.index, duplicate_of=found.duplicate_of, score=round(found.score, _DIGITS))
            for found in duplicates
        ]
        texts = _within_one_result([arguments.texts[index] for index in kept])
        answer = "\n".join([*texts, *(to_json(row).decode() for row in removed)])
        used = spend("\n".join(arguments.texts), answer)
        return Distinct(**used, kept=kept, removed=removed, texts=texts, truncated=len(texts) < len(kept))

    def token_bound(self, arguments: Mapping[str, Any]) -> int:
        """Return the most that one result holds, and the rows of `removed` beside it."""
        texts = arguments.get("texts")
        rows = min(len(texts), MAX_TEXTS) if isinstance(texts, (list, str)) else 0
        return MAX_RESULT_TOKENS + rows * _REMOVED_TOKENS


def _within_one_result(texts: Sequence[str]) -> list[str]:
    tokens, characters = MAX_RESULT_TOKENS, MAX_RESULT_CHARACTERS
    fitting: list[str] = []
    for text, cost in zip(texts, DEFAULT.count_each(texts), strict=True):
        tokens, characters = tokens - cost - 1, characters - len(text)
        if tokens < 0 or characters < 0:
            break
        fitting.append(text)
    return fitting
