"""The fixture's rate limit: 120 requests a minute and key, counted in memory.

Source: GATEWAY.md, "Governance": every JSON-RPC request counts, batch items too. The real one counts in DynamoDB.
"""

from collections import Counter

CALLS_PER_MINUTE = 120
WINDOW_S = 60


class Limiter:
    """Counts one fixed window, which never ends: a test has no clock."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def take(self, key_id: str) -> bool:
        """Count one call of *key_id* and tell whether it was one of the minute's."""
        self.calls[key_id] += 1
        return self.calls[key_id] <= CALLS_PER_MINUTE
