"""The benchmark's arithmetic, its report, and that its two own contestants answer rightly. Nothing is timed here."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.answers import CASES, problem_of
from benchmarks.contestants import CONTESTANTS, locked_versions
from benchmarks.document import document
from benchmarks.machine import version_number
from benchmarks.measure import Context
from benchmarks.measures import EVENTS, START, TOOLS_CALL
from benchmarks.results import Results, Row, ratio, results_from_json, spread_of
from benchmarks.rounds import rotated
from benchmarks.session import environ_of
from benchmarks.table import figure, report
from benchmarks.targets import targets_of

ROOT = Path(__file__).parents[1]


def event_of(case: str) -> Any:
    """Return the event file of *case*."""
    return json.loads((ROOT / "events" / "lab" / f"{case}.json").read_text(encoding="utf-8"))


@pytest.fixture
def results() -> Results:
    """A run of three rounds in which each contestant takes one more than the one before it."""
    rows = []
    for place, contestant in enumerate(CONTESTANTS, start=1):
        samples = {measure.key: [place * 1.0, place * 2.0, place * 4.0] for measure in (*EVENTS, *START)}
        row = Row(contestant.name, contestant.full_title(), contestant.serves, size_mb=place * 10.0, samples=samples)
        rows.append(row)
    return Results({"CPU": "an example", "cores": "2", "Python": "3.13"}, 3, 20, rows)


def test_spread_holds_minimum_quartiles_and_maximum() -> None:
    """Quartiles include the ends: with five rounds they are rounds that happened."""
    spread = spread_of([5.0, 1.0, 3.0, 2.0, 4.0])
    assert (spread.minimum, spread.lower_quartile, spread.median) == (1, 2, 3)
    assert (spread.upper_quartile, spread.maximum) == (4, 5)


def test_one_round_is_its_own_spread() -> None:
    """`--rounds 1` reports too."""
    assert spread_of([7.0]).minimum == spread_of([7.0]).upper_quartile == 7


def test_each_contestant_comes_first_in_turn() -> None:
    """A rotation: no place in the round favours anybody over the run."""
    orders = [rotated("abc", number) for number in range(4)]
    assert orders == [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "b", "c"]]


def test_ratio_compares_figures_of_the_same_round() -> None:
    """A round that was slow for both does not move the ratio."""
    mine = Row("mine", "mine", samples={TOOLS_CALL.key: [2.0, 20.0, 2.0]})
    theirs = Row("theirs", "theirs", samples={TOOLS_CALL.key: [1.0, 10.0, 1.0]})
    assert ratio(mine, theirs, TOOLS_CALL) == 2


@pytest.mark.parametrize(("value", "text"), [(0.0001, "<0.01"), (8.914, "8.91"), (42.25, "42.2"), (1312.4, "1,312")])
def test_figures_have_three_digits_that_count(value: float, text: str) -> None:
    """Our own choice: the rounds agree on no more."""
    assert figure(value) == text


def test_report_holds_every_contestant_with_samcp_first(results: Results) -> None:
    """The order of the rows is the order of `CONTESTANTS`."""
    first_table = report(results).split("## Cold start")[0]
    rows = [line.split("|")[1].strip() for line in first_table.splitlines() if line.startswith("| ")]
    assert rows[2:] == [contestant.full_title() for contestant in CONTESTANTS]


def test_every_table_row_has_as_many_cells_as_its_head(results: Results) -> None:
    """Markdown drops a cell too many and renders a row that is short as if it were whole."""
    results.row("awslabs").problem = "it did not install"
    for table in report(results).split("\n\n"):
        if table.startswith("| "):
            assert len({line.count("|") for line in table.splitlines()}) == 1


def test_contestant_that_failed_is_a_row_that_says_so(results: Results) -> None:
    """A peer is optional: its failure fails nothing, and no target is claimed against it."""
    results.row("awslabs").problem = "it did not install"
    assert report(results).count("| it did not install |") == 2
    assert [target.is_met for target in targets_of(results)].count(None) == 2


def test_target_that_is_missed_says_so(results: Results) -> None:
    """Our figure is divided by the floor's, which here is four times as much."""
    targets = targets_of(results)
    assert targets[0].is_met
    results.row("samcp_receivers_off").samples[TOOLS_CALL.key] = [90.0, 90.0, 90.0]
    assert targets_of(results)[0].is_met is False
    assert "**no**" in report(results)


def test_run_is_read_back_as_it_was_written(results: Results) -> None:
    """`--again` and the picture read the file."""
    assert results_from_json(results.to_json()) == results


def test_document_names_no_folder_of_this_machine(results: Results) -> None:
    """The document is committed."""
    assert str(ROOT) not in document(results)


@pytest.mark.parametrize(
    ("release", "number"),
    [("6.18.44-fc-v657", "6.18.44"), ("6.8.0-1021-aws", "6.8.0"), ("24.5.0", "24.5.0"), ("next", "of unknown version")],
)
def test_kernel_is_its_version_number_alone(release: str, number: str) -> None:
    """The rest of a release names who built it, or whose cloud it runs in; the document is committed."""
    assert version_number(release) == number


def test_contestant_sees_no_variable_of_this_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log level or a proxy of whoever runs the benchmark would change what is measured."""
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "DEBUG")
    assert "POWERTOOLS_LOG_LEVEL" not in environ_of(CONTESTANTS[0])


def test_every_contestant_has_its_program_and_its_lock() -> None:
    """A title shows the version of the lock, so that a figure says what it is of."""
    for contestant in CONTESTANTS:
        assert (ROOT / "benchmarks" / "peers" / f"{contestant.name}.py").is_file()
        assert (ROOT / "requirements" / contestant.lock).is_file()
        assert "{" not in contestant.full_title()


def test_every_lock_of_the_benchmark_has_hashes_and_no_host() -> None:
    """Our own rule for all locks."""
    for lock in (ROOT / "requirements").glob("bench-*.txt"):
        text = lock.read_text(encoding="utf-8")
        assert locked_versions(text)
        assert text.count("--hash=sha256:") >= len(locked_versions(text))
        assert "://" not in text


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["floor", "samcp_receivers_off", "samcp"])
def test_our_own_contestant_answers_rightly(name: str, case: str) -> None:
    """What is wrong is not timed; a floor that answered wrong would flatter nobody."""
    contestant = importlib.import_module(f"benchmarks.peers.{name}")
    assert problem_of(case, contestant.lambda_handler(event_of(case), Context())) == ""


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("1030", "the tool's value is wrong"),
        ({"statusCode": 500, "body": ""}, "HTTP status 500"),
        ({"statusCode": 200, "body": '{"jsonrpc": "2.0", "id": "1"}'}, "not the JSON-RPC answer to request 1"),
        ({"statusCode": 200, "body": '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32603}}'}, "error -32603"),
        (
            {"statusCode": 200, "body": '{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"text": "1030"}]}}'},
            "the value is wrong",
        ),
    ],
)
def test_wrong_answer_is_told(answer: Any, problem: str) -> None:
    """The row then says what was wrong in place of a figure."""
    assert problem_of("tools_call", answer) == problem
