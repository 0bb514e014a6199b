"""The pool of emulators, with a small program in the emulator's place. The real one: tests/emulator."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from local.emulator import MAX_INSTANCES, Build, EmulatorRuntime
from local.errors import FunctionError, MalformedResponseError
from local.function import Function
from local.ports import Ports
from tests.local.served import PROJECT, serving

FAKE = Path(__file__).parent / "fake_emulator.py"
type Invoke = Callable[[], Any]
type Maker = Callable[..., tuple[EmulatorRuntime, Invoke]]


@pytest.fixture
def emulator(tmp_path: Path) -> Path:
    """The program, as a file that can be run."""
    program = tmp_path / "emulator"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{FAKE}" "$@"\n')
    program.chmod(0o755)
    return program


@pytest.fixture
def made(tmp_path: Path, emulator: Path) -> Iterator[Maker]:
    """Make a runtime and what calls its one function."""
    with ExitStack() as stack:

        def make(answer: str, *, failed_starts: int = 0) -> tuple[EmulatorRuntime, Invoke]:
            (tmp_path / "Fake").mkdir(exist_ok=True)
            environment = {
                "ANSWER": answer,
                "FAILED_STARTS": str(failed_starts),
                "STARTS": str(tmp_path / "starts"),
            }
            runtime = EmulatorRuntime(Build(tmp_path, tmp_path, emulator, {}))
            stack.callback(runtime.close)
            function = Function("Fake", "Fake", "a.b", tmp_path, (), (), 1, 128, environment)
            return runtime, lambda: runtime.invoke(function, {}, invoked_arn="", request_id="")

        yield make


def test_an_instance_is_used_again(made: Maker) -> None:
    """Lambda: a warm start."""
    runtime, invoke = made('{"statusCode": 200}')
    assert invoke() == invoke() == {"statusCode": 200}
    assert len(runtime.instances) == 1


def test_an_emulator_that_ends_fails_one_call_and_is_forgotten(made: Maker) -> None:
    """Its pipe, its thread and its ports go with it."""
    runtime, invoke = made("die")
    with pytest.raises(FunctionError):
        invoke()
    assert runtime.instances == []


def test_an_emulator_that_ended_meanwhile_is_replaced(made: Maker) -> None:
    """Somebody killed it between two calls."""
    runtime, invoke = made('{"statusCode": 200}')
    invoke()
    (dead,) = runtime.instances
    dead.process.kill()
    dead.process.wait()
    assert invoke() == {"statusCode": 200}
    assert len(runtime.instances) == 1
    assert runtime.instances != [dead]


def test_an_answer_that_is_not_json_is_a_function_error(made: Maker) -> None:
    """A traceback of ours would reach the caller as no answer at all."""
    _, invoke = made("<html>")
    with pytest.raises(MalformedResponseError):
        invoke()


def test_a_crash_is_named_by_its_class_alone(made: Maker) -> None:
    """STYLE, errors: its text may quote an argument. It is kept for an authorizer's "Unauthorized"."""
    _, invoke = made('{"errorType": "ValueError", "errorMessage": "a secret"}')
    with pytest.raises(FunctionError) as caught:
        invoke()
    assert (str(caught.value), caught.value.reason) == ("a secret", "ValueError")


def test_a_start_that_fails_is_tried_again_with_other_ports(made: Maker, tmp_path: Path) -> None:
    """Another program may have taken one between its choice and its use."""
    _, invoke = made('{"statusCode": 200}', failed_starts=2)
    assert invoke() == {"statusCode": 200}
    assert (tmp_path / "starts").read_text() == "..."


def test_a_start_that_keeps_failing_is_a_function_error(made: Maker) -> None:
    """And leaves no instance."""
    runtime, invoke = made("", failed_starts=99)
    with pytest.raises(FunctionError):
        invoke()
    assert runtime.instances == []


def test_an_emulator_that_cannot_be_run_is_502_and_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A caller gets an answer whatever is wrong here, and the gateway goes on."""
    build = Build(tmp_path, tmp_path, tmp_path / "nowhere", {})
    with serving(PROJECT / "template.yaml", make_runtime=lambda _: EmulatorRuntime(build)) as server:
        assert [server.post("/echo", {}).status for _ in range(2)] == [502, 502]
    lines = [record.getMessage() for record in caplog.records if " failed: " in record.getMessage()]
    assert lines == ["EchoFunction failed: FunctionError: The emulator of EchoFunction cannot be started."] * 2


def test_calls_side_by_side_have_at_most_so_many_instances(made: Maker) -> None:
    """Each with ports of its own."""
    runtime, invoke = made('{"statusCode": 200}')
    with ThreadPoolExecutor(2 * MAX_INSTANCES) as threads:
        answers = list(threads.map(lambda _: invoke(), range(4 * MAX_INSTANCES)))
    assert answers == [{"statusCode": 200}] * len(answers)
    assert 1 <= len(runtime.instances) <= MAX_INSTANCES


def test_a_port_has_one_holder_until_it_is_given_back() -> None:
    """Two starts at once must not get the same one, though nobody listens on it yet."""
    ports = Ports()
    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(lambda _: ports.take(), range(400)))
    assert len(set(taken)) == len(taken)
