"""`python -m benchmarks`: measure, print the report, draw the picture; `make bench` calls it."""

import argparse
import subprocess
from pathlib import Path
from typing import Final

from benchmarks.contestants import CONTESTANTS, ROOT
from benchmarks.document import document
from benchmarks.environments import InstallError, provide
from benchmarks.results import results_from_json
from benchmarks.rounds import run, say
from benchmarks.table import report

CACHE: Final = ROOT / ".cache"
DOCUMENT: Final = ROOT / "docs" / "benchmarks.md"


def main() -> None:
    """Measure every contestant, or read an earlier run, and report."""
    arguments = _arguments()
    saved = CACHE / "benchmarks.json"
    if arguments.again:
        results = results_from_json(saved.read_text(encoding="utf-8"))
    else:
        rounds, passes = (3, 8) if arguments.quick else (arguments.rounds, 20)
        results = run(CONTESTANTS, rounds=rounds, passes=passes)
        CACHE.mkdir(exist_ok=True)
        saved.write_text(results.to_json(), encoding="utf-8")
    print(report(results))
    if arguments.write:
        DOCUMENT.write_text(document(results), encoding="utf-8")
        say(f"wrote {DOCUMENT.relative_to(ROOT)}")
    _draw(saved, (DOCUMENT if arguments.write else saved).with_suffix(".png"))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="how often each contestant is measured (default 10)")
    parser.add_argument("--quick", action="store_true", help="3 short rounds, about a minute")
    parser.add_argument("--again", action="store_true", help="report the last run again, measure nothing")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md and docs/benchmarks.png")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds is at least 1")
    return arguments


def _draw(saved: Path, picture: Path) -> None:
    """Draw the picture in an environment of its own: matplotlib is no dependency of ours."""
    try:
        python = provide("plot", "bench-plot.txt")
        command = [str(python), "-m", "benchmarks.plot", str(saved), str(picture)]
        subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    except (InstallError, subprocess.CalledProcessError) as error:
        say(f"no picture: {error}")
        return
    say(f"drew {picture.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
