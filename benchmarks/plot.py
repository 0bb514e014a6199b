"""Draw a run: how long one event takes, beside how far the rounds lie apart.

It runs in the environment that has matplotlib:

python -m benchmarks.plot RESULTS_JSON PICTURE_PNG
"""

import sys
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure  # type: ignore[import-not-found] # only in `.venv-bench-plot`

from benchmarks.measures import EVENTS, Measure
from benchmarks.results import Results, Row, results_from_json
from benchmarks.table import figure

OURS: Final = "#1f6f8b"
REFERENCE: Final = "#8d99a6"
OTHERS: Final = "#d9a05b"
REFERENCES: Final = ("floor", "tool_alone")


def main() -> None:
    """Draw the run that the command line names."""
    results = results_from_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
    figure_of(results).savefig(sys.argv[2], dpi=110)


def figure_of(results: Results) -> Any:
    """Return the picture: for each event, bars of the medians on the left and boxes of the spread on the right."""
    shown = [[row for row in reversed(results.rows) if row.has(measure)] for measure in EVENTS]
    drawing = Figure(figsize=(13, 12), layout="constrained")
    heights = [max(1, len(rows)) for rows in shown]
    axes = drawing.subplots(len(EVENTS), 2, height_ratios=heights, width_ratios=[3, 2])
    drawing.suptitle(
        f"One event through lambda_handler, warm: {results.rounds} rounds in one run\n"
        f"{results.machine['CPU']}, {results.machine['cores']} cores, Python {results.machine['Python']}\n"
        "Boxes: half of the rounds lie inside, the whiskers hold all of them.",
        fontsize=13,
    )
    for (bars, boxes), measure, rows in zip(axes, EVENTS, shown, strict=True):
        draw_medians(bars, measure, rows)
        draw_spread(boxes, measure, rows)
    return drawing


def draw_medians(axes: Any, measure: Measure, rows: list[Row]) -> None:
    """Draw one bar for each row, with its figure at its end."""
    medians = [row.median(measure) for row in rows]
    bars = axes.barh([row.title for row in rows], medians, color=[colour_of(row) for row in rows])
    axes.bar_label(bars, labels=[f"{figure(median)} {measure.unit}" for median in medians], padding=4, fontsize=9)
    axes.set_xscale("log")
    # Room for the label of the longest bar.
    axes.set_xlim(1, max(medians, default=1) * 12)
    axes.set_title(f"{measure.title}: median", loc="left", fontsize=11, fontweight="bold")
    axes.set_xlabel("CPU microseconds per event (log scale, less is better)")
    tidy(axes)


def draw_spread(axes: Any, measure: Measure, rows: list[Row]) -> None:
    """Draw how each row's rounds lie around its median: the box holds half of them, the whiskers all."""
    relative = [[sample / row.median(measure) * 100 for sample in row.samples[measure.key]] for row in rows]
    boxes = axes.boxplot(relative, orientation="horizontal", whis=(0, 100), widths=0.6, patch_artist=True)
    for box, row in zip(boxes["boxes"], rows, strict=True):
        box.set_facecolor(colour_of(row))
    for line in boxes["medians"]:
        line.set_color("black")
    axes.axvline(100, color="#cccccc", linewidth=1, zorder=0)
    axes.set_yticklabels([])
    axes.set_title(f"{measure.title}: spread of the rounds", loc="left", fontsize=11, fontweight="bold")
    axes.set_xlabel("% of the contestant's own median")
    tidy(axes)


def tidy(axes: Any) -> None:
    """Take off what says nothing."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#eeeeee", zorder=0)
    axes.set_axisbelow(True)


def colour_of(row: Row) -> str:
    """Return one colour for ours, one for what we compare with, one for other people's."""
    if row.name.startswith("samcp"):
        return OURS
    return REFERENCE if row.name in REFERENCES else OTHERS


if __name__ == "__main__":
    main()
