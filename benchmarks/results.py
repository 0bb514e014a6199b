"""What one run found: samples for each contestant and measure, as the report reads them and as a file keeps them."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from benchmarks.measures import Measure


@dataclass(frozen=True, slots=True)
class Spread:
    """How the rounds' figures for one measure lie."""

    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float


def spread_of(samples: Sequence[float]) -> Spread:
    """Return the five figures of *samples*, of which there is at least one."""
    if len(samples) == 1:
        samples = [samples[0], samples[0]]
    lower, median, upper = statistics.quantiles(samples, n=4, method="inclusive")
    return Spread(min(samples), lower, median, upper, max(samples))


@dataclass(slots=True)
class Row:
    """One contestant's result."""

    name: str
    title: str
    serves: bool = True
    size_mb: float | None = None
    """Unpacked, without compiled files; None where nothing was installed."""
    problem: str = ""
    """Why there are no figures, "" where there are."""
    samples: dict[str, list[float]] = field(default_factory=dict)
    """Measure key -> one figure a round."""

    def has(self, measure: Measure) -> bool:
        """Tell whether there is a figure for *measure*."""
        is_shown = self.serves or measure.key == "tools_call_us"
        return is_shown and not self.problem and bool(self.samples.get(measure.key))

    def spread(self, measure: Measure) -> Spread:
        """Return how the rounds' figures lie."""
        return spread_of(self.samples[measure.key])

    def median(self, measure: Measure) -> float:
        """Return the median over the rounds."""
        return self.spread(measure).median


@dataclass(slots=True)
class Results:
    """One whole run."""

    machine: dict[str, str]
    rounds: int
    passes: int
    """Turns of each contestant for each event within a round."""
    rows: list[Row]

    def row(self, name: str) -> Row:
        """Return the row of the contestant called *name*."""
        return next(row for row in self.rows if row.name == name)

    def to_json(self) -> str:
        """Return the run as a JSON text."""
        return json.dumps(asdict(self), indent=1)


def results_from_json(text: str) -> Results:
    """Return the run that `Results.to_json` wrote."""
    content = json.loads(text)
    return Results(**content | {"rows": [Row(**row) for row in content["rows"]]})


def ratio(row: Row, other: Row, measure: Measure) -> float:
    """Return the median of *row* divided by *other*, round by round: what disturbs a round disturbs both.

    Both rows have figures for *measure*, of the same rounds.
    """
    pairs = zip(row.samples[measure.key], other.samples[measure.key], strict=True)
    return statistics.median(mine / theirs for mine, theirs in pairs)
