"""The `calculator` tool."""

from pydantic import BaseModel, Field

from functions.lab.arithmetic import ArithmeticRefusedError, evaluate, format_number
from mcpserver import MCPServerToolError, MCPToolBase


class Arguments(BaseModel):
    """What `calculator` takes."""

    expression: str = Field(
        description="Numbers, + - * / // % **, signs and parentheses, at most 256 characters. For example 2 ** 10 + 5."
    )


class Calculator(MCPToolBase[Arguments]):
    """Exact arithmetic; its limits are in `arithmetic.py`."""

    name = "calculator"
    title = "Calculator"
    description = (
        "Calculate an arithmetic expression exactly (math, sum, product, power, division, remainder). "
        "Use it for every figure that must be right. It knows no variables, functions or units."
    )
    arguments_model = Arguments

    def run(self, arguments: Arguments) -> str:
        """Return the value: `2 ** 10 + 5` is `1029`, `6 / 4` is `1.5`."""
        try:
            return format_number(evaluate(arguments.expression))
        except ArithmeticRefusedError as error:
            raise MCPServerToolError(f"calculator: {error}") from None
