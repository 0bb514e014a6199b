"""The UTC minute and the UTC month."""

from governance.windows import month_of, next_month, seconds_to_next_minute


def test_windows_are_utc_minutes_and_months() -> None:
    """GATEWAY.md; the last second of a year is in its own month and one second from the next minute."""
    last_s = 1_798_761_599.0
    assert (month_of(last_s), month_of(last_s + 1)) == ("2026-12", "2027-01")
    assert (next_month("2026-12"), next_month("2026-02")) == ("2027-01-01", "2026-03-01")
    assert (seconds_to_next_minute(last_s), seconds_to_next_minute(last_s + 1)) == (1, 60)
