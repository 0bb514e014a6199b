"""Arithmetic on a checked syntax tree: never eval, and no operation is begun whose result would be too large.

Source: our own limits; `tests/corpus/calculator.json` holds the attacks.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

type Number = int | float

MAX_CHARACTERS: Final = 256
MAX_DEPTH: Final = 24
MAX_DIGITS: Final = 300
MAX_BITS: Final = 997
"""The most bits that an integer of `MAX_DIGITS` digits can have: 300 / log10(2), rounded up."""

_ALPHABET: Final = re.compile(r"[0-9eE_.+\-*/%()\s]+", re.ASCII)


_LIMIT: Final = 10**MAX_DIGITS

_SIGNS: Final[Mapping[type[ast.unaryop], Callable[[Number], Number]]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}

_OPERATIONS: Final[Mapping[type[ast.operator], Callable[[Number, Number], Number]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


class ArithmeticRefusedError(Exception):
    """The expression is none, or its value cannot be given; the message says what is allowed."""


def evaluate(expression: str) -> Number:
    """Return the value of *expression*: numbers, + - * / // % **, signs and parentheses.

    Raises:
        ArithmeticRefusedError: anything else, or a value that is too large, not finite or not real.
    """
    if len(expression) > MAX_CHARACTERS:
        raise ArithmeticRefusedError(f"an expression has at most {MAX_CHARACTERS} characters.")
    if not _ALPHABET.fullmatch(expression):
        raise ArithmeticRefusedError("use only numbers, + - * / // % ** and parentheses.")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ArithmeticRefusedError("this is no complete expression: check operators and parentheses.") from None
    return _value(tree.body, MAX_DEPTH)


def format_number(value: Number) -> str:
    """Return *value* as text: an integral float as an integer, any other float as short as it can be."""
    if isinstance(value, float) and value.is_integer():
        return f"{Decimal(repr(value)):f}".removesuffix(".0") if value else "0"
    return str(value)


def _value(node: ast.expr, depth: int) -> Number:
    if depth == 0:
        raise ArithmeticRefusedError(f"an expression nests at most {MAX_DEPTH} deep.")
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return _checked(node.value)
    if isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS:
        return _SIGNS[type(node.op)](_value(node.operand, depth - 1))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        # A chain of sums leans to the left without nesting; the 256 characters bound it.
        return _apply(_OPERATIONS[type(node.op)], _value(node.left, depth), _value(node.right, depth - 1))
    raise ArithmeticRefusedError("use only numbers, + - * / // % ** and parentheses.")


def _apply(operation: Callable[[Number, Number], Number], left: Number, right: Number) -> Number:
    if type(left) is int and type(right) is int:
        _check_size(operation, left, right)
    try:
        return _checked(operation(left, right))
    except ZeroDivisionError:
        raise ArithmeticRefusedError("division by zero: choose another divisor.") from None
    except OverflowError:
        raise _too_large() from None


def _check_size(operation: Callable[[Number, Number], Number], left: int, right: int) -> None:
    """Refuse before the work is done: Python would compute a billion digits without a word."""
    if operation is operator.mul and left.bit_length() + right.bit_length() > MAX_BITS + 1:
        raise _too_large()
    # 2 ** n has n + 1 bits: (bits - 1) * n is a lower bound, so nothing that fits is refused.
    if operation is operator.pow and right > 0 and (abs(left).bit_length() - 1) * right > MAX_BITS:
        raise _too_large()


def _checked(value: complex) -> Number:
    if isinstance(value, complex):
        raise ArithmeticRefusedError("the value is not a real number.")
    if isinstance(value, float) and not math.isfinite(value):
        raise _too_large()
    if abs(value) >= _LIMIT:
        raise _too_large()
    return value


def _too_large() -> ArithmeticRefusedError:
    return ArithmeticRefusedError(f"the value is too large: at most {MAX_DIGITS} digits.")
