"""A tool that would outlive the Lambda is stopped, and its caller is told.

Source: SPEC 2.2: answered with an `isError` result before the platform kills it.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from mcpserver import MCPToolBase, http_handler, tool
from mcpserver.deadline import MARGIN_S, run_before
from mcpserver.errors import OutOfTimeError
from tests.fixture_servers import serving
from tests.mcpserver.posts import JSON_HEADERS, modern_request, post, post_modern, read, request, rest_event, text_of

SHORT_S = MARGIN_S + 0.02
"""What the platform has left: 20 ms for the tool."""


class Lambda:
    """The runtime's context object, with a time that a test gives it."""

    aws_request_id = "r-1"

    def __init__(self, remaining_s: float) -> None:
        self._remaining_ms = int(remaining_s * 1000)

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds that are left."""
        return self._remaining_ms


@pytest.fixture(autouse=True)
def _no_alarm_is_left() -> Iterator[None]:
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


NEVER = threading.Event()


def spin() -> None:
    """Work without end."""
    while not NEVER.is_set():
        pass


@tool
def busy() -> str:
    """Compute for ever."""
    spin()
    return "done"


@tool
def waiting() -> str:
    """Wait for ever."""
    NEVER.wait()
    return "done"


@tool
async def awaiting() -> str:
    """Await for ever."""
    await asyncio.Event().wait()
    return "done"


@tool
async def blocking() -> str:
    """Block the loop for ever."""
    spin()
    return "done"


@tool
def stubborn() -> str:
    """Catch whatever it can and go on."""
    while True:
        try:
            spin()
        except Exception:  # noqa: BLE001, S112 -- that is the stubbornness
            continue


@tool
async def stubborn_awaiting() -> str:
    """Catch whatever it can, once, and go on."""
    try:
        await asyncio.Event().wait()
    except Exception:  # noqa: BLE001 -- that is the stubbornness
        await asyncio.Event().wait()
    return "done"


ENDLESS = [busy, waiting, awaiting, blocking, stubborn, stubborn_awaiting]
COOPERATIVE = [waiting, awaiting, stubborn_awaiting]
"""Those that may be left behind in a thread: they take no processor time from the tests after them."""


def ids(made: MCPToolBase[Any]) -> str:
    """Return a tool's name."""
    return made.name


def call(endless: MCPToolBase[Any], remaining_s: float = SHORT_S) -> dict[str, Any]:
    """Call a tool through the handler with so much time left and return the result."""
    handler = http_handler(serving(endless), default_receivers=False)
    body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s"}}' % endless.name  # noqa: UP031
    response = handler(rest_event(body, JSON_HEADERS), Lambda(remaining_s))
    assert response["statusCode"] == 200
    result: dict[str, Any] = read(response)["result"]
    return result


def in_a_worker(work: Callable[[], Any]) -> Any:
    """Return or raise what *work* does in a thread that is not the main one, as in the local gateway."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result(5)


@pytest.mark.parametrize("endless", ENDLESS, ids=ids)
def test_a_tool_that_would_outlive_the_lambda_is_stopped_on_the_main_thread(endless: MCPToolBase[Any]) -> None:
    """Lambda runs a handler on the main thread; a tool's own broad except cannot swallow the stop."""
    result = call(endless)
    assert result["isError"] is True
    assert "out of time" in result["content"][0]["text"]


@pytest.mark.parametrize("endless", COOPERATIVE, ids=ids)
def test_a_tool_that_would_outlive_the_lambda_is_left_behind_on_a_worker_thread(endless: MCPToolBase[Any]) -> None:
    """The local gateway runs handlers on worker threads, where no signal can reach."""
    result = in_a_worker(lambda: call(endless))
    assert result["isError"] is True
    assert "out of time" in result["content"][0]["text"]


@pytest.mark.parametrize("endless", COOPERATIVE, ids=ids)
def test_a_tool_is_stopped_inside_a_running_loop(endless: MCPToolBase[Any]) -> None:
    """A test or a host of ours may call the handler from a coroutine."""

    async def inside() -> dict[str, Any]:
        return call(endless)

    assert asyncio.run(inside())["isError"] is True


@pytest.mark.parametrize("remaining_s", [0.0, -5.0, MARGIN_S])
def test_a_tool_is_not_begun_where_no_time_is_left(remaining_s: float) -> None:
    """Half a second is kept back for the answer."""
    begun: list[int] = []

    @tool
    def note() -> str:
        """Note that it ran."""
        begun.append(1)
        return "ran"

    assert call(note, remaining_s)["isError"] is True
    assert begun == []


def test_the_modern_era_is_told_in_the_same_way() -> None:
    """SPEC 2.3: tool errors -> 200."""
    handler = http_handler(serving(waiting), default_receivers=False)
    response = post_modern(
        lambda event, _: handler(event, Lambda(SHORT_S)), modern_request("tools/call", {"name": "waiting"})
    )
    assert (response["statusCode"], read(response)["result"]["isError"]) == (200, True)


def test_without_a_limit_a_tool_runs_to_its_end() -> None:
    """A laptop's stdio server kills nobody."""
    assert run_before(None, lambda: "done") == "done"
    handler = http_handler(serving(tool(lambda_like)), default_receivers=False)
    assert text_of(read(post(handler, request("tools/call", {"name": "lambda_like"})))) == "done"


def lambda_like() -> str:
    """Do it."""
    return "done"


def alarmed() -> str:
    """Take an alarm that is not this call's."""
    signal.raise_signal(signal.SIGALRM)
    return "third"


def test_a_pending_alarm_never_hits_later_code() -> None:
    """The timer of a call that ended early goes off between calls: it must pass."""
    assert run_before(SHORT_S, lambda: "first") == "first"
    signal.raise_signal(signal.SIGALRM)
    assert run_before(None, lambda: "second") == "second"
    assert run_before(60, alarmed) == "third"


def test_an_early_alarm_is_set_again_for_the_call_that_runs() -> None:
    """One timer serves all calls: the alarm of an earlier, shorter one must not be the last."""
    assert run_before(MARGIN_S + 0.01, lambda: "short") == "short"
    with pytest.raises(OutOfTimeError):
        run_before(MARGIN_S + 0.05, NEVER.wait)


def test_a_shorter_limit_after_a_longer_one_holds() -> None:
    """The next request of a warm instance may have less time."""
    assert run_before(900, lambda: "long") == "long"
    with pytest.raises(OutOfTimeError):
        run_before(SHORT_S, NEVER.wait)


def test_what_a_tool_raises_goes_through_every_road() -> None:
    """The main thread, a worker, a loop in a loop: the exception is the tool's own."""

    def fail() -> str:
        raise KeyError("x")

    async def fail_later() -> str:
        raise KeyError("x")

    async def inside() -> Any:
        return run_before(60, fail_later)

    for action in (fail, fail_later):
        with pytest.raises(KeyError):
            run_before(60, action)
        with pytest.raises(KeyError):
            run_before(None, action)
    with pytest.raises(KeyError):
        asyncio.run(inside())
    with pytest.raises(KeyError):
        in_a_worker(lambda: run_before(60, fail))


def test_a_tools_own_timeout_is_not_ours() -> None:
    """A TimeoutError of an HTTP client inside a tool is the tool's business."""

    async def fail() -> str:
        raise TimeoutError

    for remaining_s in (None, 60.0):
        with pytest.raises(TimeoutError):
            run_before(remaining_s, fail)
    with pytest.raises(TimeoutError):
        in_a_worker(lambda: run_before(60, fail))


async def until_patience_ends() -> str:
    """Wait half a second at most: long past the deadline, so that a lost stop fails the test and does not hang it."""
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), 0.5)
    return "went on"


@tool
async def gathering() -> str:
    """Collect the errors of parallel work, the stop among them, and go on."""

    async def part() -> None:
        spin()

    await asyncio.gather(part(), return_exceptions=True)
    return await until_patience_ends()


@tool
async def in_a_callback() -> str:
    """Be busy in a callback of the loop, which reports what it raises and goes on."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, _context: None)
    loop.call_soon(spin)
    return await until_patience_ends()


@pytest.mark.parametrize("swallowing", [gathering, in_a_callback], ids=ids)
def test_a_stop_that_the_event_loop_swallows_comes_again(swallowing: MCPToolBase[Any]) -> None:
    """Asyncio keeps what a task or a callback raises for itself: one stop alone may be lost."""
    result = call(swallowing)
    assert (result["isError"], "out of time" in result["content"][0]["text"]) == (True, True)
