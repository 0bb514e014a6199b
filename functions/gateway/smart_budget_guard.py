"""The `smart_budget_guard` tool: counts tokens, says what the month still has, books what was spent elsewhere."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, Field

from functions.gateway.smart_tool import SmartTool, Spent
from functions.gateway.tokens import MAX_RESULT_TOKENS, count_message_tokens, spent_of, tokenizer_for
from governance.windows import month_of, next_month
from mcpserver import MCPServerToolError

MAX_RECORDED: Final = 10_000_000
"""Tokens that one `record` may book of each kind."""


def _text_of(content: Any) -> Any:
    """Return the texts of a message's blocks as one; anything else as it is."""
    if not isinstance(content, list):
        return content
    texts = [block.get("text") for block in content if isinstance(block, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


class Message(BaseModel):
    """One message of a conversation."""

    role: str = Field("user", max_length=64, description="Who speaks: system, user, assistant, tool.")
    content: Annotated[str, BeforeValidator(_text_of)] = Field(description="What is said.")


class BudgetGuardArguments(BaseModel):
    """What `smart_budget_guard` takes."""

    action: Literal["check", "count", "record"] = Field(
        description="count: the tokens of text or messages. check: what the month still has. record: book spent tokens."
    )
    text: str | None = Field(None, description="The text to count, or to check whether it fits.")
    model: str | None = Field(None, max_length=200, description="The model whose tokens are counted.")
    tokens: int | None = Field(
        None, ge=0, le=MAX_RECORDED, description="Tokens that were spent (record) or will be (check)."
    )
    prompt_tokens: int | None = Field(
        None,
        ge=0,
        le=MAX_RECORDED,
        description="The same as tokens, as a model's usage says it; used without tokens.",
    )
    completion_tokens: int | None = Field(None, ge=0, le=MAX_RECORDED, description="Completion tokens, spent as well.")
    messages: list[Message] | None = Field(None, max_length=1000, description="A conversation to count.")
    team_id: str | None = Field(None, max_length=200, description="Your own team, the only one that you may ask about.")
    monthly_limit: int | None = Field(None, ge=0, le=2**53, description="A smaller limit of your own for this check.")


class Budget(Spent):
    """What `smart_budget_guard` returns."""

    action: str
    estimate: int = Field(description="Tokens that were counted, asked about or booked.")
    fits: bool | None = Field(None, description="Whether something is left and the estimate fits into it; check only.")
    call_fits: bool | None = Field(
        None, description="Whether any other smart_ call would pass: what is left holds set_aside; check only."
    )
    set_aside: int | None = Field(
        None,
        description="Tokens that a call of another smart_ tool sets aside at most until it ends: with less left it may "
        "be refused, although it would cost less; check only.",
    )
    unbooked: int | None = Field(
        None, description="Tokens that found no room: the month's budget is spent with the others; record only."
    )
    allowance: int | None = Field(None, description="Tokens that the month still has; absent: no limit.")
    used: int | None = Field(None, description="Tokens that the key has used this month, this call's reserve included.")
    team_id: str | None = None
    resets_on: str | None = Field(None, description="The day (UTC) when the month's budget is whole again.")


class SmartBudgetGuard(SmartTool[BudgetGuardArguments]):
    """Tokens counted, checked and booked. What is booked was reserved: it is no more than fits into the month."""

    name = "smart_budget_guard"
    description = (
        "Purpose: know what text costs in tokens and what the month's budget still has. "
        "When to use: before a large paste (count), before an expensive step (check), after your own model calls "
        "(record). When not: to shorten a text, use smart_context_gate. "
        "Returns: the estimate, the allowance and when it resets. Composes with: every other smart_ tool."
    )
    arguments_model = BudgetGuardArguments

    def token_bound(self, arguments: Mapping[str, Any]) -> int:  # noqa: ARG002 -- whatever they say
        """The answer is for the model to act on, not a text that it reads: it is free."""
        return 0

    def booked_bound(self, arguments: Mapping[str, Any]) -> int:
        """Return what `record` would book."""
        if arguments.get("action") != "record":
            return 0
        first = "prompt_tokens" if arguments.get("tokens") in (None, "") else "tokens"
        return sum(_number(arguments.get(name)) for name in (first, "completion_tokens"))

    def run(self, arguments: BudgetGuardArguments) -> Budget:
        """Do what the action says.

        Raises:
            MCPServerToolError: something is missing, or is another team's.
        """
        if arguments.team_id is not None and arguments.team_id != self.team:
            raise MCPServerToolError("team_id: a key can only ask about its own team; leave it out.")
        if arguments.action == "count":
            return self._count(arguments)
        return self._check(arguments) if arguments.action == "check" else self._record(arguments)

    def _count(self, arguments: BudgetGuardArguments) -> Budget:
        if arguments.text is None and arguments.messages is None:
            raise MCPServerToolError("count needs text or messages.")
        estimate, tokenizer = _estimate(arguments)
        return Budget(**_free(tokenizer), action="count", estimate=estimate)

    def _check(self, arguments: BudgetGuardArguments) -> Budget:
        estimate, tokenizer = _estimate(arguments)
        estimate += _numbers(arguments) or 0
        call = self.call_notes
        left, used = call.tokens_left(), call.usage.key_tokens
        if arguments.monthly_limit is not None:
            own = max(0, arguments.monthly_limit - used)
            left = own if left is None else min(left, own)
        checked = Budget(**_free(tokenizer), action="check", estimate=estimate, set_aside=MAX_RESULT_TOKENS)
        return self._said(checked, left, estimate)

    def _record(self, arguments: BudgetGuardArguments) -> Budget:
        spent = _numbers(arguments)
        if spent is None:
            raise MCPServerToolError(
                "record needs tokens (or prompt_tokens) or completion_tokens, the numbers that were spent."
            )
        booked = self.call_notes.book(spent)
        if spent and not booked:
            # In a pipeline, a reference: what it would stand for could not be set aside.
            raise MCPServerToolError("the tokens could not be booked: send them as whole numbers, no references.")
        budget = Budget(**spent_of(0, 0), action="record", estimate=booked, unbooked=spent - booked or None)
        return self._said(budget, self.call_notes.tokens_left(), None)

    def _said(self, budget: Budget, left: int | None, needed: int | None) -> Budget:
        call = self.call_notes
        budget.allowance, budget.used = left, call.usage.key_tokens
        if needed is not None:
            budget.fits = left is None or needed <= left > 0
            budget.call_fits = left is None or left >= MAX_RESULT_TOKENS
        budget.team_id = self.team or None
        budget.resets_on = next_month(month_of(call.started_s))
        return budget


def _numbers(arguments: BudgetGuardArguments) -> int | None:
    """Return the tokens that the arguments state as numbers; None: they state none."""
    first = arguments.prompt_tokens if arguments.tokens is None else arguments.tokens
    if first is None and arguments.completion_tokens is None:
        return None
    return (first or 0) + (arguments.completion_tokens or 0)


def _estimate(arguments: BudgetGuardArguments) -> tuple[int, str]:
    """Return the tokens of the text and the messages, and what counted them."""
    tokenizer = tokenizer_for(arguments.model)
    counted = tokenizer.count(arguments.text or "")
    if arguments.messages:
        counted += count_message_tokens([message.model_dump() for message in arguments.messages], tokenizer)
    return counted, tokenizer.name


def _free(tokenizer: str) -> dict[str, Any]:
    return {**spent_of(0, 0), "tokenizer": tokenizer}


def _number(value: Any) -> int:
    """Return what the argument's repair would make of *value*, and the most that a call may book otherwise."""
    if type(value) is int:
        return min(max(value, 0), MAX_RECORDED)
    try:
        return min(max(int(float(value)), 0), MAX_RECORDED)
    except (TypeError, ValueError, OverflowError):
        return 0
