"""The one broad except: a crash is logged by class and place, never by its text. Source: STYLE, Errors."""

import logging
import sys
from pathlib import Path

import pytest

from mcpserver.containment import Crash, contain
from mcpserver.errors import OutOfTimeError

logger = logging.getLogger("tests.containment")


def crash(secret: str) -> None:
    """Fail as foreign code does: with the value in the text."""
    raise ValueError(f"invalid literal: {secret}")


def test_what_works_is_returned() -> None:
    """No exception, no difference."""
    assert contain(lambda: 5) == 5


def test_the_log_has_the_class_and_the_place_and_never_the_text(caplog: pytest.LogCaptureFixture) -> None:
    """The text of a foreign exception often quotes an argument or a secret."""
    outcome = contain(lambda: crash("CANARY"))
    assert isinstance(outcome, Crash)
    with caplog.at_level(logging.ERROR):
        outcome.log(logger, "it crashed", tool="add")
    (record,) = caplog.records
    found = vars(record)
    assert (record.getMessage(), found["error"], found["tool"]) == ("it crashed", "ValueError", "add")
    assert Path(__file__).name in found["traceback"][-1]
    assert found["traceback"][-1].endswith(" crash")
    assert record.exc_info is None
    assert "CANARY" not in str(found)


def test_a_chained_text_is_not_logged_either(caplog: pytest.LogCaptureFixture) -> None:
    """`raise ... from` carries another text along."""

    def chained() -> None:
        try:
            crash("CANARY")
        except ValueError as error:
            raise RuntimeError("CANARY too") from error

    outcome = contain(chained)
    assert isinstance(outcome, Crash)
    with caplog.at_level(logging.ERROR):
        outcome.log(logger, "it crashed")
    assert "CANARY" not in "".join(str(vars(record)) for record in caplog.records)


def test_a_tool_that_exits_has_crashed() -> None:
    """SPEC 2.1: any other exception of a tool is INTERNAL_ERROR; sys.exit() must not end the function."""

    def leave() -> None:
        sys.exit(3)

    assert isinstance(contain(leave), Crash)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OutOfTimeError])
def test_a_user_and_our_own_deadline_are_no_crash(stop: type[BaseException]) -> None:
    """Ctrl-C ends a server over stdio; the deadline is answered where the tool was run."""

    def end() -> None:
        raise stop

    with pytest.raises(stop):
        contain(end)
