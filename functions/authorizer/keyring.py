"""Keys that were proved a moment ago: at most a minute old, so that a key that is switched off stops within it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from governance.key_table import KeyTable, Limiting
from governance.keys import KeyRecord, hash_of, id_in, is_proved

MAX_KEPT: Final = 5_000
"""Proved keys that one instance remembers. What is no good key is never kept: it could push the good ones out."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A good key with its limits."""

    record: KeyRecord
    limiting: Limiting


class KeyRing:
    """Finds out whether a key is good."""

    def __init__(
        self, table: KeyTable, *, now_s: Callable[[], float], clock: Callable[[], float], max_age_s: float
    ) -> None:
        """Make a ring.

        Args:
            table: where the keys are.
            now_s: Unix time.
            clock: seconds that only grow.
            max_age_s: how long a proved key is believed.
        """
        self._table = table
        self._now_s = now_s
        self._clock = clock
        self._max_age_s = max_age_s
        self._kept: dict[str, tuple[float, Proved]] = {}

    def prove(self, key: str) -> Proved | None:
        """Return what *key* stands for; None: it is unknown, switched off or no key, and nobody learns which.

        Each of the three takes one hash, one look-up and two comparisons. A good one takes one look-up more.

        Raises:
            StoreError: DynamoDB did not answer.
        """
        presented = hash_of(key)
        since_s, kept = self._kept.get(presented, (0.0, None))
        if kept is not None and self._clock() - since_s < self._max_age_s:
            return kept
        self._kept.pop(presented, None)
        record = self._table.find(id_in(key))
        if not is_proved(presented, record, now_s=self._now_s()) or record is None:
            return None
        proved = Proved(record, self._table.limiting(record))
        if len(self._kept) >= MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[presented] = (self._clock(), proved)
        return proved
