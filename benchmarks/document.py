"""`docs/benchmarks.md`: the report with its title, its picture and how it was made."""

from benchmarks.results import Results
from benchmarks.table import report

_OPENING = """# Benchmarks

Written by `make bench` (`python -m benchmarks --write`); edit `benchmarks/`, not this file.
Why it is measured so: [decision 9](decisions/0009-benchmarks.md).

![Bars: microseconds per event of each contestant. Boxes: how the rounds differ.](benchmarks.png)

- Every contestant offers `calculator`, `wiki_search` and `get_current_time` behind `lambda_handler(event, context)` and
  gets the same REST (v1) events: `events/lab/initialize.json`, `tools_list.json`, `tools_call.json`.
  Its answers are checked before it is timed.
- The calculator's arithmetic is the same function in every row; **the tool alone** is what it costs by itself.
- **samcp, as deployed** is `functions.lab.app`: log and metric receivers on (written to `/dev/null`) and a fourth tool
  in its tools/list. **samcp, receivers off** has three tools and writes no log, like the rows below it. Both run this
  source tree with the layer's locked packages.
- **floor** validates the request and the arguments with Pydantic and has no feature: no header, version, size or method
  is checked.
- mcp and fastmcp are stateless with JSON answers; their lifespan is held by hand and their own log lines are off.
- run-mcp-servers-with-aws-lambda starts a process for each event: its RSS is the parent's alone.
- The machine is shared: compare the ratios of two runs, not their microseconds. Its load is in the table "Machine".
- MB unpacked: the packages of the contestant's lock, and our layer, without compiled files. boto3 is counted where the
  contestant asks for it, although the Lambda runtime has one.
"""


def document(results: Results) -> str:
    """Return the whole document."""
    made = (
        f"- {results.rounds} rounds. In each, a fresh process of every contestant, all on one core; then "
        f"{results.passes} passes in which\n  each in turn times a block of about 15 ms for each event. A round's "
        "figure is the median of its passes; the order rotates."
    )
    return f"{_OPENING}{made}\n\n{report(results)}"
