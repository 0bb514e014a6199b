"""The `smart_context_gate` tool."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, Field

from functions.gateway.extract import WHOLE_TOKENS, budget_of, extract, share
from functions.gateway.smart_tool import SmartTool, Spent
from functions.gateway.tokens import MAX_RESULT_CHARACTERS, MAX_RESULT_TOKENS, count_tokens, spent_of, token_ceiling

_LARGEST_RATIO: Final = 0.9
_COUNTED_CHARACTERS: Final = 100_000


class GateArguments(BaseModel):
    """What `smart_context_gate` takes."""

    text: str = Field(description="The text to shorten: prose, Markdown, a log, a transcript, in any language.")
    ratio: float = Field(0.5, ge=0.1, le=_LARGEST_RATIO, description="The largest part of the tokens to keep.")
    purpose: str | None = Field(
        None,
        max_length=2000,
        description="What the text is needed for, as a question or in key words. Better than none: say it.",
    )


class Extracted(Spent):
    """What `smart_context_gate` returns."""

    text: str = Field(description="The kept passages, word for word and in their order.")
    ratio: float = Field(
        description="The part of the tokens that was kept; more than was asked for only where a single passage is."
    )
    dropped: int = Field(description="How many passages (sentences, lines, list items) were left out.")
    truncated: bool = Field(
        description="A result's largest size made it shorter than the ratio asks, or a long passage had to be cut."
    )


class SmartContextGate(SmartTool[GateArguments]):
    """Keeps the passages that matter."""

    name = "smart_context_gate"
    description = (
        "Purpose: shorten a long text to the passages that serve a purpose, to save tokens in your context. "
        "When to use: before a long page, log, transcript, mail thread or document goes into the conversation. "
        "When not: for text under about 100 tokens, for code that must still run, or where each word counts; it does "
        "not rephrase or sum up. "
        "Returns: text (whole passages, word for word, in order), ratio (achieved; at most what was asked, but where a "
        "text is one sentence it is not torn apart), dropped "
        "(passages left out), truncated, and the tokens saved. "
        "Composes with: smart_fetch before it (shorten a page), smart_dedup before it (several sources), smart_memory "
        "after it (keep the result); smart_pipe runs them in one call."
    )
    arguments_model = GateArguments

    def run(self, arguments: GateArguments) -> Extracted:
        """Return the passages that serve the purpose, within the ratio."""
        text = arguments.text
        tokens_in = count_tokens(text)
        budget = budget_of(tokens_in, arguments.ratio)
        kept = extract(text, min(budget, MAX_RESULT_TOKENS), arguments.purpose or "", MAX_RESULT_CHARACTERS)
        is_limited = budget > MAX_RESULT_TOKENS or len(text) * arguments.ratio > MAX_RESULT_CHARACTERS
        shorter, tokens = kept.text, kept.tokens
        if tokens > tokens_in:
            # A word alone may cost more than with the space before it.
            shorter, tokens = text, tokens_in
        return Extracted(
            **spent_of(tokens_in, tokens),
            text=shorter,
            ratio=share(tokens, tokens_in),
            dropped=kept.dropped,
            truncated=kept.is_cut or is_limited,
        )

    def token_bound(self, arguments: Mapping[str, Any]) -> int:
        """Return the largest ratio of the text's tokens, as the ratio may need mending; a short text stays whole."""
        text = arguments.get("text")
        if not isinstance(text, str):
            return 0
        # Counted where that costs little: a budget with little left can still pay for a small call.
        is_small = len(text) <= _COUNTED_CHARACTERS
        tokens = count_tokens(text) if is_small else token_ceiling(len(text.encode("utf-8", "replace")))
        return min(MAX_RESULT_TOKENS, max(budget_of(tokens, _LARGEST_RATIO), min(tokens, WHOLE_TOKENS)))
