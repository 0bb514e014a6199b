"""One governed call, as its tool sees it: what was reserved, what is left, and the steps it ran."""

import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from governance.audit import Outcome
from governance.counters import Taken
from governance.limits import Limits, Usage, tokens_left
from governance.store import Patience


class TokenBound(NamedTuple):
    """The most that a call can cost the month."""

    answer: int
    """Its own answer, in tokens."""
    booked: int = 0
    """Tokens spent elsewhere that it books."""

    @property
    def is_spent_already(self) -> bool:
        """Whether it only books what is spent, so that a part of it is better booked than nothing."""
        return self.booked > 0 and self.answer == 0


@dataclass(slots=True)
class Step:
    """A step of a pipeline, for its audit row."""

    tool: str
    arguments: Mapping[str, Any]
    outcome: Outcome
    started_s: float
    """Unix time."""
    duration_s: float
    structured: Mapping[str, Any]
    """The step's result, for its tokens and its cache; empty where it failed."""
    wall: str = ""
    """What refused it."""


@dataclass(slots=True)
class GovernedCall:
    """What the server keeps about one request, and a tool reads as `self.context.notes`."""

    started_s: float
    """Unix time."""
    limits: Limits
    tool: str = ""
    """The tool's own name, "" where the request calls none that exists."""
    taken: Taken | None = None
    """What was counted and reserved; None where the call did not pass."""
    usage: Usage = field(default_factory=Usage)
    """With this call and all that it reserved."""
    is_counted: bool = False
    """Whether `usage` is what the counters said."""
    bookable: int = 0
    """Tokens that the call reserved for `book`."""
    booked: int = 0
    refusal: str = ""
    """What the model is told in place of an answer."""
    wall: str = ""
    """The limit that the call ran into, or what else refused it."""
    steps: list[Step] = field(default_factory=list)
    row_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    now_s: Callable[[], float] = time.time
    """Unix time, for the steps of a pipeline."""
    patience: Patience = field(default_factory=Patience)
    """For all that the call waits for the governance's tables."""

    def book(self, tokens: int) -> int:
        """Charge *tokens* that were spent elsewhere, and return how many of them were reserved and so are charged."""
        charged = min(tokens, self.bookable - self.booked)
        self.booked += charged
        return charged

    def tokens_left(self) -> int | None:
        """Return what the month still has for the key, while all that this call reserved is out; None: no limit."""
        return tokens_left(self.usage, self.limits)
