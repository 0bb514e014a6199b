"""`python -m benchmarks.web_tools`: what the gateway's two web tools cost, without a network. About ten seconds."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import anyio

from benchmarks.contestants import ROOT
from functions.gateway.engines.project_index import ProjectIndex
from functions.gateway.reading.process import read_html

ROUNDS: Final = 7

URL: Final = "https://page.example.com/"

PARAGRAPH: Final = '<p>The <a href="/moon">Moon</a> pulls on the water, and there are <b>two</b> tides a day.</p>'

MODULES: Final = ("functions.gateway.web_tools", "guardedhttp", "resiliparse.extract.html2text")


def import_ms(module: str) -> float:
    """Return the CPU time that *module* takes to load in a new process, beyond what every gateway loads anyway."""
    code = (
        "import time, functions.gateway.smart_tool; before = time.process_time(); "
        f"import {module}; print((time.process_time() - before) * 1000)"
    )
    return statistics.median(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT).stdout)
        for _ in range(ROUNDS)
    )


def wall_ms(action: Callable[[], object]) -> float:
    """Return the median time that *action* takes."""
    times = []
    for _ in range(ROUNDS):
        before = time.perf_counter()
        action()
        times.append((time.perf_counter() - before) * 1000)
    return statistics.median(times)


def page_of(paragraphs: int) -> str:
    """Return an article."""
    return f"<title>Tides</title><nav><a href=/>Home</a></nav><main>{PARAGRAPH * paragraphs}</main>"


async def ask_new_index() -> None:
    """Read the documentation and search it once."""
    await ProjectIndex(Path(ROOT)).search("time zones", 10)


def main() -> None:
    """Print the figures."""
    for module in MODULES:
        print(f"import {module}: {import_ms(module):.0f} ms CPU")
    for paragraphs in (1, 100, 2_000):
        page = page_of(paragraphs)
        print(f"read a page of {len(page) / 1000:.0f} KB: {wall_ms(partial(read_html, page, URL)):.0f} ms")
    print(f"index the documentation and search it once: {wall_ms(lambda: anyio.run(ask_new_index)):.0f} ms")


if __name__ == "__main__":
    main()
