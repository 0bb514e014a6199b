"""What functions print, as the terminal shows it."""

import io
import json

from local.function_output import FunctionOutput, readable


def test_a_powertools_line_is_shortened() -> None:
    """The level, the service, the message, and the fields that differ from call to call."""
    entry = {
        "level": "INFO",
        "location": "f:1",
        "message": "mcp call",
        "service": "lab",
        "tool": "calculator",
        "empty": None,
    }
    assert readable(json.dumps(entry)) == "    INFO lab: mcp call tool=calculator"


def test_a_crash_keeps_its_traceback() -> None:
    """It is what the line is for."""
    assert readable(json.dumps({"level": "ERROR", "message": "x", "exception": "Traceback ..."})).endswith(
        "\nTraceback ..."
    )


def test_metrics_are_left_out_and_other_text_is_left_alone() -> None:
    """CloudWatch's embedded metric format is for CloudWatch."""
    assert readable('{"_aws": {}, "Calls": [1.0]}') == ""
    assert readable("plain") == "plain"
    assert readable('["json"]') == '["json"]'
    assert readable("[" * 100_000) == "[" * 100_000


def test_only_whole_lines_are_passed_on() -> None:
    """`print` writes a text and its line end apart."""
    target = io.StringIO()
    output = FunctionOutput(target)
    output.write("half ")
    assert target.getvalue() == ""
    output.write("a line\nnext")
    assert target.getvalue() == "half a line\n"
