"""Counts tokens, offline, and says what an answer spent and saved.

The counts are exact for OpenAI's models; for those of vendors that publish no vocabulary they are an estimate.
Source: docs/decisions/0040-tokenizer.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import toktok

TOKENIZER: Final = "o200k_base"
"""What the counts are made with where no model is named; every result names it."""

MAX_RESULT_TOKENS: Final = 20_000
"""The most text that one result holds. Source: HOSTS rule 14."""

MAX_RESULT_CHARACTERS: Final = 70_000
"""What fits into a text block as JSON with its escapes. Source: `mcpserver.content.MAX_TEXT_CHARACTERS`."""

_MESSAGE_OVERHEAD: Final = 3
_REPLY_OVERHEAD: Final = 3
"""What a chat format adds to each message, and to open the reply. Source: OpenAI cookbook, "How to count tokens"."""

_FAMILIES: Final[Sequence[tuple[str, str]]] = (
    ("gpt-4o", "o200k_base"),
    ("gpt-4.1", "o200k_base"),
    ("gpt-4.5", "o200k_base"),
    ("gpt-4", "cl100k_base"),
    ("gpt-3.5", "cl100k_base"),
    ("gpt-", "o200k_base"),
    ("chatgpt-", "o200k_base"),
    ("text-embedding-3", "cl100k_base"),
    ("text-embedding-ada-002", "cl100k_base"),
    ("o1", "o200k_base"),
    ("o3", "o200k_base"),
    ("o4", "o200k_base"),
)
"""How a model's name begins -> its vocabulary; the first that fits. Source: tiktoken's `model.py`."""


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """One vocabulary. The first count with it loads it, once in a process."""

    name: str
    """What a result says of the counts."""
    vocabulary: str = TOKENIZER

    def count(self, text: str) -> int:
        """Return how many tokens *text* has; text that looks like a special token counts as text."""
        return self.count_each((text,))[0]

    def count_each(self, texts: Iterable[str]) -> list[int]:
        """Return how many tokens each of *texts* has."""
        counts: list[int] = toktok.batch_count([_encodable(text) for text in texts], self.vocabulary, threads=1)
        return counts

    def head(self, text: str, limit: int) -> str:
        """Return the beginning of *text* that fits into *limit* tokens, cut between two characters."""
        cut: str = toktok.truncate(_encodable(text), max(0, limit), self.vocabulary)[0]
        return cut


DEFAULT: Final = Tokenizer(TOKENIZER)
_UNKNOWN_MODEL: Final = Tokenizer(f"{TOKENIZER} (an estimate for this model)")


def tokenizer_for(model: str | None) -> Tokenizer:
    """Return the tokenizer of *model*; of one that is not OpenAI's the default, whose name says that it estimates."""
    if model is None:
        return DEFAULT
    # A router puts the vendor before the name: `openai/gpt-5`.
    name = model.strip().lower().rpartition("/")[2]
    for beginning, vocabulary in _FAMILIES:
        if name.startswith(beginning):
            return Tokenizer(vocabulary, vocabulary)
    return _UNKNOWN_MODEL


def count_tokens(text: str) -> int:
    """Return how many tokens *text* has."""
    return DEFAULT.count(text)


def count_message_tokens(messages: Iterable[Mapping[str, Any]], tokenizer: Tokenizer = DEFAULT) -> int:
    """Return about how many tokens *messages* cost as a conversation, the opening of the reply included.

    An estimate: no vendor publishes its whole chat format. Each text member counts (`role`, `content`, `name`), and of
    a `content` that is a list of blocks each text; images and tool calls do not.
    """
    tokens = _REPLY_OVERHEAD
    for message in messages:
        tokens += _MESSAGE_OVERHEAD + sum(tokenizer.count_each(_texts_of(message)))
    return tokens


def token_ceiling(byte_count: int) -> int:
    """Return a number that the tokens of a text of *byte_count* UTF-8 bytes never pass.

    Each token stands for one byte at least, and text without words does come near to that.
    """
    return byte_count


def cap_tokens(text: str, limit: int = MAX_RESULT_TOKENS) -> tuple[str, bool]:
    """Return *text*, cut to at most *limit* tokens with a last line that says so, and whether it was cut.

    A limit too small for that line leaves the beginning alone.
    """
    whole = count_tokens(text)
    if whole <= limit:
        return text, False
    mark = f"\n[truncated: the whole text has {whole} tokens]"
    room = limit - count_tokens(mark)
    if room <= 0:
        return DEFAULT.head(text, limit), True
    cut = DEFAULT.head(text, room) + mark
    while count_tokens(cut) > limit:  # where the beginning ends and the mark begins, tokens may fall otherwise
        room -= 1
        cut = DEFAULT.head(text, room) + mark
    return cut, True


def spend(naive: str, answer: str) -> dict[str, Any]:
    """Return the four members of `Spent`: *naive* is what a paste would have cost, *answer* what the result costs."""
    tokens_in, tokens_out = DEFAULT.count_each((naive, answer))
    return spent_of(tokens_in, tokens_out)


def spent_of(tokens_in: int, tokens_out: int) -> dict[str, Any]:
    """Return the four members of `Spent` for what was counted before."""
    saved = max(0, tokens_in - tokens_out)
    return {"tokens_in": tokens_in, "tokens_out": tokens_out, "tokens_saved": saved, "tokenizer": TOKENIZER}


def _texts_of(message: Mapping[str, Any]) -> list[str]:
    values = [value for key in ("role", "content", "name") if (value := message.get(key)) is not None]
    blocks = [block for value in values if isinstance(value, list) for block in value if isinstance(block, Mapping)]
    values += [block.get("text") for block in blocks]
    return [value for value in values if isinstance(value, str)]


def _encodable(text: str) -> str:
    """Return *text* with U+FFFD for each lone surrogate: those have no bytes to count. Source: HOSTS rule 14."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
