"""A run as Markdown: absolute figures, ratios, targets, spread."""

from collections.abc import Iterable, Sequence

from benchmarks.contestants import FLOOR, SAMCP, SAMCP_OFF
from benchmarks.measures import EVENTS, FIRST_CPU, IMPORT_CPU, RSS, START, Measure
from benchmarks.results import Results, Row, ratio
from benchmarks.targets import targets_of

_RATIO_MEASURES = (IMPORT_CPU, FIRST_CPU, RSS, *EVENTS)
_MARKS = {True: "yes", False: "**no**", None: ""}
_NONE = "-"
"""Where there is no figure."""

_EVENTS_NOTE = (
    "Microseconds of CPU time per event through `lambda_handler`: median (quartiles) of {rounds} rounds, and how many "
    "times the floor's that is."
)
_START_NOTE = (
    "A fresh process each; the interpreter's own start is left out. First answer: `initialize`. RSS: after the first "
    "answer to each event."
)
_RATIO_NOTE = (
    "Median over the rounds of samcp's figure divided by the other's of the same round: below 1, samcp takes less. "
    "As deployed / receivers off."
)


def report(results: Results) -> str:
    """Return the whole report, without a title."""
    sections = {
        "One event, warm": (_EVENTS_NOTE.format(rounds=results.rounds), _events_table(results)),
        "Cold start and size": (_START_NOTE, _start_table(results)),
        "samcp divided by the others": (_RATIO_NOTE, _ratio_table(results)),
        "Targets": (_targets_table(results),),
        "Machine": (_table(["", ""], [list(item) for item in results.machine.items()], left=2),),
        "Spread": ("Over the rounds.", _spread_table(results)),
    }
    return "\n\n".join("\n\n".join([f"## {title}", *parts]) for title, parts in sections.items()) + "\n"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """Return a table whose first *left* columns are text, the others figures."""
    rules = [*["---"] * left, *["---:"] * (len(heads) - left)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rules, *rows))


def figure(value: float) -> str:
    """Return *value* with three digits that count: `8.91`, `42.3`, `1,312`."""
    if value < 10:
        return "<0.01" if 0 < value < 0.005 else f"{value:.2f}"
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def _with_quartiles(row: Row, measure: Measure) -> str:
    if not row.has(measure):
        return _NONE
    spread = row.spread(measure)
    return f"{figure(spread.median)} ({figure(spread.lower_quartile)}-{figure(spread.upper_quartile)})"


def _events_table(results: Results) -> str:
    floor = results.row(FLOOR.name)
    heads = ["contestant"]
    for measure in EVENTS:
        heads += [f"{measure.title} {measure.unit}", "x floor"]
    return _table(heads, [_events_row(row, floor) for row in results.rows])


def _events_row(row: Row, floor: Row) -> list[str]:
    if row.problem:
        return [row.title, row.problem, *[""] * (2 * len(EVENTS) - 1)]
    cells = [row.title]
    for measure in EVENTS:
        cells += [_with_quartiles(row, measure), _ratio_cell(row, floor, measure)]
    return cells


def _ratio_cell(row: Row, other: Row, measure: Measure) -> str:
    return figure(ratio(row, other, measure)) if row.has(measure) and other.has(measure) else _NONE


def _start_table(results: Results) -> str:
    heads = ["contestant", *(f"{measure.title} {measure.unit}" for measure in START), "MB unpacked"]
    rows = []
    for row in results.rows:
        if not row.serves:
            continue
        size = _NONE if row.size_mb is None else figure(row.size_mb)
        figures = [_with_quartiles(row, measure) for measure in START]
        rows.append(
            [row.title, row.problem, *[""] * (len(START) - 1), size] if row.problem else [row.title, *figures, size]
        )
    return _table(heads, rows)


def _ratio_table(results: Results) -> str:
    ours = [results.row(SAMCP.name), results.row(SAMCP_OFF.name)]
    heads = ["divided by", *(measure.title for measure in _RATIO_MEASURES), "MB unpacked"]
    rows = []
    for other in results.rows:
        if other in ours or not other.serves or other.problem:
            continue
        cells = [" / ".join(_ratio_cell(row, other, measure) for row in ours) for measure in _RATIO_MEASURES]
        rows.append([other.title, *cells, _size_ratio(ours[0], other)])
    return _table(heads, rows)


def _size_ratio(row: Row, other: Row) -> str:
    return figure(row.size_mb / other.size_mb) if row.size_mb and other.size_mb else _NONE


def _targets_table(results: Results) -> str:
    rows = [[target.text, target.found, _MARKS[target.is_met]] for target in targets_of(results)]
    return _table(["target", "found", "met"], rows, left=3)


def _spread_table(results: Results) -> str:
    rows = []
    for measure in (*EVENTS, *START):
        for row in results.rows:
            if row.has(measure):
                spread = row.spread(measure)
                five = (spread.minimum, spread.lower_quartile, spread.median, spread.upper_quartile, spread.maximum)
                rows.append([f"{measure.title} {measure.unit}", row.title, *map(figure, five)])
    return _table(["measure", "contestant", "min", "lower quartile", "median", "upper quartile", "max"], rows, left=2)
