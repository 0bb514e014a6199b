"""`python -m tests.interop`: run the suite and the clients, print the tables; `make test-interop` calls it."""

import argparse
import signal
import sys
import time
from typing import Final

from tests.interop.clients import CLIENTS
from tests.interop.conformance import SuiteResult, run_suites
from tests.interop.driving import ClientResult, Subject, drive
from tests.interop.gateway import serving
from tests.interop.hosts import HOSTS
from tests.interop.observations import Verdict
from tests.interop.processes import ROOT
from tests.interop.table import document, report

DOCUMENT: Final = ROOT / "docs" / "interop.md"
LAB: Final = "/lab/mcp"


def main() -> int:
    """Return 1 if a client that ran saw a wrong answer, or the suite passes less than it did."""
    # Ended from outside, it still ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = _options()
    start_s = time.monotonic()
    suites: list[SuiteResult] = []
    if not options.only:
        _say("conformance suite ...")
        suites = run_suites()
    clients = _drive_clients(options)
    print(report(suites, clients))
    if options.all:
        DOCUMENT.write_text(document(suites, clients), "utf-8")
        _say(f"wrote {DOCUMENT.relative_to(ROOT)}")
    _say(f"took {time.monotonic() - start_s:.0f} s")
    return int(any(result.is_regression for result in suites) or any(result.has(Verdict.WRONG) for result in clients))


def _drive_clients(options: argparse.Namespace) -> list[ClientResult]:
    results = []
    with serving(ROOT / "template.yaml") as address:
        for subject in _subjects(options):
            _say(f"{subject.title} ...")
            results.append(drive(subject, address, LAB))
    return results


def _subjects(options: argparse.Namespace) -> list[Subject]:
    every: list[Subject] = [*CLIENTS, *HOSTS]
    if options.only:
        return [subject for subject in every if options.only.lower() in subject.title.lower()]
    return every if options.all else [client for client in CLIENTS if client.is_quick]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.interop", description=__doc__)
    parser.add_argument("--all", action="store_true", help="every client and host; writes docs/interop.md")
    parser.add_argument("--only", default="", metavar="TEXT", help="no suite, only clients with TEXT in their name")
    return parser.parse_args()


def _say(text: str) -> None:
    print(f"interop: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
