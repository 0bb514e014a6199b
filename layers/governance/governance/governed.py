"""`GovernedServer`: an MCP server whose every request is counted, and whose every tool call is paid for and audited.

The path of a call: one update takes it (rate and reserved tokens); the tool runs; one update gives back what was not
spent; one write records it. Then, and only then, the answer leaves.
Source: GATEWAY.md, "Governance"; docs/decisions/0060-counters.md and 0061-audit.md.
"""

import logging
from abc import abstractmethod
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, NoReturn

from governance.audit import UNKNOWN_TOOL, AuditRow
from governance.audit_table import AuditTable
from governance.call import GovernedCall
from governance.counters import CounterTable, WallError
from governance.limits import Limits
from governance.record import Ending, rows_of, structured_of
from governance.scopes import may_call, may_enter
from governance.store import StoreError
from governance.windows import WINDOW_S, month_of, next_month
from mcpserver import CallContext, MCPError, MCPServerBase, MCPToolBase, Principal, RateLimitedError
from mcpserver.content import ToolAnswer, error_answer
from mcpserver.context import TransportContext, current_context
from mcpserver.errors import ForbiddenError, UnauthenticatedError
from mcpserver.exchange import Exchange

logger = logging.getLogger(__name__)

RECORDING_S: Final = 2.4
"""Kept back from a tool's time: settling and recording, when DynamoDB is slow."""

RETRY_AFTER_S: Final = 1


class TokenBound(NamedTuple):
    """The most that a call can cost the month."""

    answer: int
    """Its own answer, in tokens."""
    booked: int = 0
    """Tokens spent elsewhere that it books."""


@dataclass(frozen=True, slots=True)
class Governance:
    """What a governed server counts with and writes to."""

    counters: CounterTable
    audit: AuditTable
    now_s: Callable[[], float]
    """Unix time."""


class UnrecordedError(MCPError):
    """A governance table could not be used, so the call is not answered: -32603, and worth another try."""

    def __init__(self, message: str) -> None:
        super().__init__(message, data={"retryable": True, "retry_after": RETRY_AFTER_S})


class GovernedServer(MCPServerBase):
    """A server behind keys, limits, a budget and an audit. A subclass says what a call can cost at most."""

    governance: Governance

    @abstractmethod
    def token_bound(self, tool: MCPToolBase[Any], arguments: Mapping[str, Any]) -> TokenBound:
        """Return the most that a call of *tool* with these raw arguments can cost; never raises."""

    def exchange(self, payload: Any, transport: TransportContext) -> Exchange:
        """Answer *payload*, with time kept back to record each call."""
        if transport.deadline_s is not None:
            transport.deadline_s -= RECORDING_S
        return super().exchange(payload, transport)

    def admit(self, context: CallContext) -> None:
        """Count the request, and reserve what a tool call can cost.

        Raises:
            UnauthenticatedError: nobody is calling.
            ForbiddenError: the key has no scope of this server.
            RateLimitedError: the minute's calls are used up.
            UnrecordedError: it could not be counted.
        """
        principal = context.principal
        if principal is None:
            raise UnauthenticatedError("Send an API key: Authorization: Bearer, or X-API-Key.")
        context.notes = call = GovernedCall(self.governance.now_s(), Limits.of(principal.attributes))
        if not may_enter(principal.scopes, self.name):
            call.wall = "scope"
            raise ForbiddenError(f"This server needs the scope {self.name}.")
        tokens = self._bound_of(context, call, principal) if context.method == "tools/call" else None
        try:
            team = principal.attributes.get("team", "")
            call.taken = self.governance.counters.take(team, principal.principal_id, call.limits, tokens=tokens)
        except WallError as stop:
            self._refuse(call, stop)
        except StoreError as error:
            logger.warning("a call could not be counted", extra={"reason": str(error)})
            call.wall = "store"
            raise UnrecordedError("The call could not be counted: try again in a second.") from error
        else:
            call.usage = call.taken.usage

    def _bound_of(self, context: CallContext, call: GovernedCall, principal: Principal) -> int | None:
        """Note the tool on *call* and return what to reserve; None: nothing can be spent."""
        name, arguments = context.params.get("name"), context.params.get("arguments", {})
        if type(name) is not str or name not in self.tool_names:
            call.tool = UNKNOWN_TOOL
            return None
        tool = self.find_tool(name)
        call.tool = tool.name
        if not may_call(principal.scopes, self.name, tool.name):
            call.wall = "scope"
            call.refusal = f"this tool needs the scope {self.name}:{tool.name}, which the key does not have."
            return None
        bound = self.token_bound(tool, arguments if isinstance(arguments, dict) else {})
        call.bookable = bound.booked
        return bound.answer + bound.booked

    def _refuse(self, call: GovernedCall, stop: WallError) -> None:
        call.wall, call.usage = stop.wall, stop.usage
        limit = call.limits.of_wall(stop.wall)
        if not stop.wall.is_of_tokens:
            raise RateLimitedError(
                f"All {limit} calls of this minute are used up ({stop.wall}).",
                retry_after_s=stop.retry_after_s,
                data={"wall": stop.wall.value, "limit": limit, "window_s": WINDOW_S},
            )
        month = month_of(call.started_s)
        used = stop.usage.key_tokens if stop.wall == "key_tokens_per_month" else stop.usage.team_tokens
        call.refusal = (
            f"the month's token budget does not hold this call ({stop.wall}): {used} of {limit} tokens are used or "
            f"reserved in {month}, and it resets on {next_month(month)} (UTC). Ask for less, or tell the user."
        )

    def answer_call(self, params: Mapping[str, Any]) -> ToolAnswer:
        """Run the tool, or tell the model why it may not be run."""
        call = current_context().notes
        if isinstance(call, GovernedCall) and call.refusal:
            return error_answer(call.refusal)
        return super().answer_call(params)

    def conclude(self, context: CallContext, answer: dict[str, Any]) -> None:
        """Give back what was not spent, and record the call.

        Raises:
            UnrecordedError: it could not be recorded, so nobody gets its answer.
        """
        call = context.notes
        if not isinstance(call, GovernedCall) or context.method != "tools/call":
            return
        charged = self._settle(call, answer)
        rows = rows_of(context, call, answer, Ending(charged, self.governance.now_s()))
        try:
            self._record(call, rows)
        except StoreError as error:
            logger.warning("a call could not be recorded", extra={"reason": str(error)})
            if call.wall != "store":
                self._withhold(error)

    def _withhold(self, error: StoreError) -> NoReturn:
        raise UnrecordedError("The call could not be recorded, so it is not answered: try again.") from error

    def _settle(self, call: GovernedCall, answer: Mapping[str, Any]) -> int:
        """Return what the call cost the month."""
        if call.taken is None:
            return 0
        spent: int = structured_of(answer).get("tokens_out", 0) + call.booked
        reserved = call.taken.reserved
        if spent > reserved:
            logger.error("a tool passed its bound", extra={"tool": call.tool, "spent": spent, "reserved": reserved})
            return reserved
        if spent < reserved:
            try:
                call.usage = self.governance.counters.settle(call.taken, spent=spent)
            except StoreError as error:
                logger.warning("a reservation stays", extra={"reason": str(error), "tokens": reserved - spent})
                return reserved
        return spent

    def _record(self, call: GovernedCall, rows: list[AuditRow]) -> None:
        write = self.governance.audit.write
        if call.taken is not None or call.wall not in ("key_tokens_per_month", "team_tokens_per_month"):
            write(rows, now_s=call.started_s)
            return
        # Refused for its tokens, and a call of its minute all the same: counted while the row is written.
        with ThreadPoolExecutor(1) as pool:
            counting = pool.submit(self.governance.counters.count, rows[0].team, rows[0].key_id)
            write(rows, now_s=call.started_s)
            counting.result()
