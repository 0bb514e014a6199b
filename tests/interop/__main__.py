"""`python -m tests.interop`: run the suite and the clients, print the tables; `make test-interop` calls it."""

import argparse
import sys
import time
from typing import Final

from tests.interop.clients import CLIENTS, ClientResult, drive_client
from tests.interop.conformance import SuiteResult, run_suites
from tests.interop.gateway import serving
from tests.interop.processes import ROOT
from tests.interop.table import report

DOCUMENT: Final = ROOT / "docs" / "interop.md"
LAB: Final = "/lab/mcp"


def main() -> int:
    """Return 1 if a client that ran saw a wrong answer, or the suite passes less than it did."""
    options = _options()
    start_s = time.monotonic()
    suites: list[SuiteResult] = []
    if not options.only:
        _say("conformance suite ...")
        suites = run_suites()
    clients = _drive_clients(options)
    print(report(suites, clients))
    _say(f"took {time.monotonic() - start_s:.0f} s")
    return int(any(result.is_regression for result in suites) or any(result.is_wrong for result in clients))


def _drive_clients(options: argparse.Namespace) -> list[ClientResult]:
    chosen = [client for client in CLIENTS if options.all or client.is_quick]
    if options.only:
        chosen = [client for client in CLIENTS if options.only.lower() in client.title.lower()]
    results = []
    with serving(ROOT / "template.yaml") as address:
        for client in chosen:
            _say(f"{client.title} ...")
            results.append(drive_client(client, address, LAB))
    return results


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.interop", description=__doc__)
    parser.add_argument("--all", action="store_true", help="every client and host; writes docs/interop.md")
    parser.add_argument("--only", default="", metavar="TEXT", help="no suite, only clients with TEXT in their name")
    return parser.parse_args()


def _say(text: str) -> None:
    print(f"interop: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
