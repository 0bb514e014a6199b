"""`calculator`: right, and never the door to anything else.

Source: SPEC 3, lab; `corpus/calculator.json` holds the attacks, by kind.
"""

import ast
import json
import math
import operator
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.lab.arithmetic import MAX_CHARACTERS, MAX_DIGITS, ArithmeticRefusedError, evaluate, format_number
from functions.lab.calculator import Calculator
from tests.mcpserver.posts import call_tool

CORPUS = json.loads((Path(__file__).parents[2] / "corpus" / "calculator.json").read_text("utf-8"))

VALUES = {
    "(1.5+2)/7": "0.5",
    "2**10": "1024",
    "7//2": "3",
    "2**-1": "0.5",
    "0**0": "1",
    "0.1+0.2": "0.30000000000000004",
    "1/3*3": "1",
    "5%-3": "-1",
    "1_000": "1000",
}
"""What must be the value of an expression of the corpus; any other may be refused, or right."""


def calculate(expression: str) -> tuple[str, bool]:
    """Return what a model is told, and whether it is an error; fails where that takes more than 5 s."""
    found: list[Any] = []
    thread = threading.Thread(
        target=lambda: found.append(call_tool(Calculator(), {"expression": expression})), daemon=True
    )
    thread.start()
    thread.join(5)
    assert found, "the calculation did not end"
    return found[0]["content"][0]["text"], found[0]["isError"]


def oracle(expression: str) -> int | float | None:
    """Return what Python makes of an expression that has numbers and our operators only, None of any other."""
    allowed = (
        ast.Expression, ast.BinOp, ast.UnaryOp, ast.Constant, ast.UAdd, ast.USub,
        ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow,
    )  # fmt: skip
    tree = ast.parse(expression, mode="eval")
    if not all(isinstance(node, allowed) for node in ast.walk(tree)):
        return None
    value: int | float = eval(compile(tree, "oracle", "eval"))  # noqa: S307 -- a tree of numbers and operators
    return value


@pytest.mark.parametrize("case", CORPUS, ids=[f"{number}-{case['tag']}" for number, case in enumerate(CORPUS)])
def test_each_expression_of_the_corpus_is_right_or_refused(case: dict[str, str]) -> None:
    """Issue 2: the `ok` ones give their value, the others an error or a right value, and every one ends."""
    expression = case["expr"]
    text, is_error = calculate(expression)
    if expression in VALUES and not is_error:
        assert text == VALUES[expression]
    assert case["tag"] != "ok" or not is_error
    if is_error:
        assert text.startswith("Error: calculator: ")
        assert "Traceback" not in text
    else:
        value = oracle(expression.strip())
        assert value is not None
        assert text == format_number(value)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("2 ** 10 + 5", "1029"),
        ("6 / 4", "1.5"),
        ("6 / 3", "2"),
        ("-7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("2 ** 3 ** 2", "512"),
        ("-2 ** 2", "-4"),
        ("(1 + 2) * 3", "9"),
        ("+5", "5"),
        ("--5", "5"),
        ("1e3", "1000"),
        ("1e-7", "1e-07"),
        ("1e22 / 1", "10000000000000000000000"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("0 * -1.0", "0"),
        ("10 ** 299", "1" + "0" * 299),
        ("  1 + 1  ", "2"),
    ],
)
def test_a_figure_is_exact_and_an_integral_one_is_an_integer(expression: str, text: str) -> None:
    """SPEC 3: an integral float prints as an integer."""
    assert calculate(expression) == (text, False)


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9**9",
        "10 ** 300",
        "-(10 ** 300)",
        "(10 ** 200) * (10 ** 101)",
        "2 ** 1000",
        "1e308 * 10",
        "2.0 ** 10000",
        "10 ** 299 * 10",
        "1e999",
        "(-8) ** (1/3)",
        "(-1) ** 0.5",
        "1 / 0",
        "1 // 0",
        "1 % 0",
        "0 ** -1",
        "0.0 ** -1",
        "10 ** 299 + 1e308 * 10",
        "(10 ** 299) / 1e-10",
        "10 ** 10 ** 10",
        "1e300 ** -10 ** 10",
    ],
)
def test_a_value_that_is_too_large_not_real_or_not_finite_is_refused(expression: str) -> None:
    """SPEC 3: 300 digits, finite and real; size checked before each operation."""
    text, is_error = calculate(expression)
    assert is_error or abs(float(text)) < math.inf
    assert len(text) < MAX_DIGITS + 20


def test_the_limits_are_inclusive() -> None:
    """SPEC 3: 256 characters, 300 digits, depth 24."""
    assert calculate("1" + "+1" * 127 + " ") == ("128", False)
    assert calculate("1" + " " * MAX_CHARACTERS)[1] is True
    assert calculate("9" * 200)[0] == "9" * 200
    assert calculate(f"10 ** {MAX_DIGITS - 1}")[1] is False
    assert calculate(f"10 ** {MAX_DIGITS}")[1] is True
    assert calculate("(" * 20 + "1" + ")" * 20)[1] is False
    assert calculate("-" * 23 + "1")[1] is False
    assert calculate("-" * 24 + "1")[1] is True
    assert calculate("1+(" * 23 + "1" + ")" * 23)[1] is False
    assert calculate("1+(" * 24 + "1" + ")" * 24)[1] is True


@pytest.mark.parametrize(
    "expression", ["", " ", "x", "1 +", "1 1", "()", "import os", "1;1", "1\n+1\n2", "0x10", "1j", "True"]
)
def test_what_is_no_arithmetic_is_refused_with_what_is_allowed(expression: str) -> None:
    """STYLE, Errors: say what is allowed; never repeat the input."""
    text, is_error = calculate(expression)
    assert is_error is True
    assert expression.strip() == "" or len(expression) < 4 or expression not in text


def test_the_limit_on_integers_of_the_interpreter_stays(capsys: pytest.CaptureFixture[str]) -> None:
    """Python's guard against quadratic conversion is process-wide: no tool may lift it."""
    before = sys.get_int_max_str_digits()
    calculate("9" * 256)
    assert sys.get_int_max_str_digits() == before
    assert capsys.readouterr() == ("", "")


def test_no_warning_of_the_parser_reaches_anybody() -> None:
    """`1is 1` and `0x1for x in y` make Python's parser warn; warnings are errors in this suite."""
    for expression in ("1e", "1.e+", "1_", "5(3)", "(1)(2)", "1e5e", "2.5(1)"):
        assert calculate(expression)[1] is True


NUMBERS = st.one_of(st.integers(0, 10**6), st.floats(0, 1e6).map(lambda value: round(value, 3)))
OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv}


@settings(max_examples=100, deadline=None)
@given(NUMBERS, st.sampled_from(sorted(OPERATIONS)), NUMBERS)
def test_every_sum_and_product_is_pythons(left: float, sign: str, right: float) -> None:
    """An operation of ours is the interpreter's, on the same numbers."""
    try:
        wanted = OPERATIONS[sign](left, right)
    except ZeroDivisionError:
        with pytest.raises(ArithmeticRefusedError):
            evaluate(f"{left} {sign} {right}")
        return
    assert evaluate(f"{left} {sign} {right}") == wanted
    assert float(format_number(wanted)) == wanted


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("0123456789.eE_+-*/%() \t\n"), max_size=40))
def test_any_text_of_the_alphabet_has_a_value_or_is_refused(expression: str) -> None:
    """Total: nothing but our own error comes out."""
    try:
        value = evaluate(expression)
    except ArithmeticRefusedError:
        return
    assert math.isfinite(value)
    assert len(format_number(value)) <= MAX_DIGITS + 20
