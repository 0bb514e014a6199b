"""Keys that were proved a moment ago: at most a minute old, so that a key that is switched off stops within it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from governance.key_table import KeyTable, Limiting
from governance.keys import KeyRecord, hash_of, id_in, is_proved
from governance.store import Patience

MAX_KEPT: Final = 5_000
"""Proved keys that one instance remembers. What is no good key is never kept: it could push the good ones out."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A good key with its limits."""

    record: KeyRecord
    limiting: Limiting


@dataclass(frozen=True, slots=True)
class _Kept:
    proved: Proved
    at_s: float
    """Unix time before it was read."""
    since_s: float
    """The same moment on the clock that only grows."""


class KeyRing:
    """Finds out whether a key is good."""

    def __init__(
        self, table: KeyTable, *, now_s: Callable[[], float], clock: Callable[[], float], max_age_s: float
    ) -> None:
        """Make a ring.

        Args:
            table: where the keys are.
            now_s: Unix time.
            clock: seconds that only grow. Lambda may stop it between two requests, and Unix time may be set back: what
                is too old by either of them is read again. Source: hashicorp/vault-lambda-extension, issue 113.
            max_age_s: how long a proved key is believed, counted from before it was read.
        """
        self._table = table
        self._now_s = now_s
        self._clock = clock
        self._max_age_s = max_age_s
        self._kept: dict[str, _Kept] = {}

    def __len__(self) -> int:
        """Return how many proved keys are remembered."""
        return len(self._kept)

    def prove(self, key: str) -> Proved | None:
        """Return what *key* stands for; None: it is unknown, switched off or no key, and nobody learns which.

        Each of the three takes one hash, one look-up and two comparisons. A good one takes one look-up more.

        Raises:
            StoreError: DynamoDB did not answer.
        """
        presented = hash_of(key)
        now_s, since_s = self._now_s(), self._clock()
        kept = self._kept.get(presented)
        if kept is not None and self._is_fresh(kept, now_s, since_s):
            # The grace of a former secret ends in time, not a minute later.
            return kept.proved if is_proved(presented, kept.proved.record, now_s=now_s) else None
        self._kept.pop(presented, None)
        patience = Patience()
        record = self._table.find(id_in(key), patience=patience)
        if not is_proved(presented, record, now_s=now_s) or record is None:
            return None
        proved = Proved(record, self._table.limiting(record, patience=patience))
        if len(self._kept) >= MAX_KEPT:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[presented] = _Kept(proved, now_s, since_s)
        return proved

    def _is_fresh(self, kept: _Kept, now_s: float, since_s: float) -> bool:
        return max(now_s - kept.at_s, since_s - kept.since_s) < self._max_age_s
