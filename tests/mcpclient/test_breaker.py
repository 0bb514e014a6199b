"""The circuit breaker's decisions, with a number for time."""

import pytest
from mcpclient import MCPClientConfigurationError, MCPClientConnectionError, MCPClientPermissionError
from mcpclient.breaker import Breaker, CircuitOpenError, counts_as_failure, enter, fail, succeed


def failed(times: int, breaker: Breaker | None = None, *, now_s: int = 1000) -> Breaker:
    """Return the state after so many failures in a row."""
    breaker = breaker or Breaker()
    for _ in range(times):
        breaker = fail(breaker, now_s=now_s)
    return breaker


def test_four_failures_leave_it_closed() -> None:
    """And a success forgets them."""
    assert enter(failed(4), now_s=1000) == failed(4)
    assert succeed() == Breaker()


def test_the_fifth_opens_it_for_a_minute() -> None:
    """Our own choice: see SPEC, issue 4."""
    opened = failed(5)
    for now_s in (1000, 1059):
        with pytest.raises(CircuitOpenError) as caught:
            enter(opened, now_s=now_s)
        assert caught.value.retry_after_s == 1060 - now_s
        assert caught.value.to_dict()["code"] == "circuit_open"
    assert enter(opened, now_s=1060).open_until_s == 1120


def test_one_probe_at_a_time() -> None:
    """Whoever stores the new state goes; the others find it open."""
    probing = enter(failed(5), now_s=1060)
    with pytest.raises(CircuitOpenError):
        enter(probing, now_s=1061)
    # A probe whose instance died does not keep the breaker open for ever.
    assert enter(probing, now_s=1120).open_until_s == 1180


def test_a_clock_that_was_wrong_keeps_it_open_for_fifteen_minutes_at_most() -> None:
    """An instance whose clock was a day ahead has opened it: another makes a probe all the same."""
    assert enter(failed(5, now_s=1000 + 86_400), now_s=1000).open_until_s == 1060


def test_each_failed_probe_doubles_the_pause_up_to_fifteen_minutes() -> None:
    """60, 120, 240, 480, 900, 900 s."""
    breaker, now_s, pauses = failed(5), 1000, []
    for _ in range(12):
        pauses.append(breaker.open_until_s - now_s)
        now_s = breaker.open_until_s
        breaker = fail(enter(breaker, now_s=now_s), now_s=now_s)
    assert pauses == [60, 120, 240, 480] + [900] * 8


def test_calls_that_were_under_way_when_it_opened_make_no_pause_longer() -> None:
    """Ten callers at once are one outage: 60 s, not 15 min."""
    assert failed(10) == failed(5)
    probing = enter(failed(5), now_s=1060)
    assert fail(probing, now_s=1061).open_until_s == 1061 + 120
    assert failed(3, fail(probing, now_s=1061), now_s=1062) == fail(probing, now_s=1061)


@pytest.mark.parametrize(
    ("error", "counts"),
    [
        (MCPClientConnectionError("", code="unreachable"), True),
        (MCPClientConnectionError("", code="timeout"), True),
        (MCPClientConnectionError("", code="invalid_answer"), True),
        (MCPClientConnectionError("", code="http_error", http_status=503), True),
        (MCPClientConnectionError("", code="http_error", http_status=429), False),
        (MCPClientConnectionError("", code="http_error", http_status=401), False),
        (MCPClientConnectionError("", code="rpc_error", rpc_code=-32602), False),
        (MCPClientConfigurationError(""), False),
        (MCPClientPermissionError(""), False),
    ],
)
def test_what_counts_as_a_failure(error: MCPClientConnectionError, counts: bool) -> None:  # noqa: FBT001 -- a case
    """Only what says that the server is not well: anybody could open the breaker with bad arguments else."""
    assert counts_as_failure(error) is counts
