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
from typing import Any, Final, NoReturn

from mcp_types import ListToolsResult

from governance.audit import UNKNOWN_TOOL, AuditRow
from governance.audit_table import AuditTable
from governance.call import GovernedCall, TokenBound
from governance.counters import CounterTable, Taken
from governance.errors import StoreError, WallError
from governance.limits import Limits, tokens_left
from governance.record import Ending, rows_of, structured_of
from governance.refusals import UnavailableError, UnrecordedError, budget_refusal, rate_refusal
from governance.scopes import may_call, may_enter
from governance.store import REQUEST_S, Patience
from mcpserver import CallContext, MCPServerBase, MCPToolBase, Principal
from mcpserver.content import ToolAnswer, error_answer
from mcpserver.context import TransportContext, current_context
from mcpserver.errors import ForbiddenError, UnauthenticatedError
from mcpserver.exchange import Exchange
from mcpserver.paging import take_page

logger = logging.getLogger(__name__)

RECORDING_S: Final = 2 * REQUEST_S + 0.4
"""Kept back from a tool's time: settling and recording when DynamoDB is slow, and the work around them."""


@dataclass(frozen=True, slots=True)
class Governance:
    """What a governed server counts with and writes to."""

    counters: CounterTable
    audit: AuditTable
    now_s: Callable[[], float]
    """Unix time."""
    patience: Callable[[], Patience] = Patience
    """Makes one for a call."""


class GovernedServer(MCPServerBase):
    """A server behind keys, limits, a budget and an audit. A subclass says what a call can cost at most."""

    governance: Governance
    keeps_lists = False
    cache_scope = "private"
    """What is listed depends on the key's scopes."""

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
            UnavailableError: it could not be counted.
        """
        principal = context.principal
        if principal is None:
            raise UnauthenticatedError("Send an API key: Authorization: Bearer, or X-API-Key.")
        now_s, limits = self.governance.now_s, Limits.of(principal.attributes)
        call = GovernedCall(now_s(), limits, now_s=now_s, patience=self.governance.patience())
        remaining_s = context.remaining_s()
        if remaining_s is not None and remaining_s < REQUEST_S:
            # A row would need time too: nothing is done, nothing is counted, and the messages before it are answered.
            raise UnavailableError("No time was left for this message: send fewer in one batch, or try again.")
        context.notes = call
        if not may_enter(principal.scopes, self.name):
            call.wall = "scope"
            raise ForbiddenError(f"This server needs the scope {self.name}.")
        bound = self._bound_of(context, call, principal) if context.method == "tools/call" else None
        try:
            call.taken = self._take(call, principal, bound)
        except WallError as stop:
            self._refuse(call, stop, bound)
        except StoreError as error:
            logger.warning("a call could not be counted", extra={"reason": str(error)})
            call.wall = "store"
            raise UnavailableError("The call could not be counted: try again in a second.") from error
        else:
            call.usage, call.is_counted = call.taken.usage, True

    def _bound_of(self, context: CallContext, call: GovernedCall, principal: Principal) -> TokenBound | None:
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
        return self.token_bound(tool, arguments if isinstance(arguments, dict) else {})

    def _take(self, call: GovernedCall, principal: Principal, bound: TokenBound | None) -> Taken:
        """Count the call and reserve its *bound*: of what is spent already, as much as the month still holds."""
        team, key_id = principal.attributes["team"], principal.principal_id
        take = self.governance.counters.take
        if bound is None:
            return take(team, key_id, call.limits, tokens=None, patience=call.patience)
        call.bookable = bound.booked
        try:
            return take(team, key_id, call.limits, tokens=bound.answer + bound.booked, patience=call.patience)
        except WallError as stop:
            left = tokens_left(stop.usage, call.limits)
            if not (stop.wall.is_of_tokens and bound.is_spent_already and left):
                raise
            call.bookable = left
            return take(team, key_id, call.limits, tokens=left, patience=call.patience)

    def _refuse(self, call: GovernedCall, stop: WallError, bound: TokenBound | None) -> None:
        call.wall, call.usage, call.is_counted = stop.wall, stop.usage, True
        if not stop.wall.is_of_tokens:
            raise rate_refusal(call.limits, stop)
        call.refusal = budget_refusal(call, stop, needed=bound.answer + bound.booked if bound else 0)

    def list_tools(self, params: Mapping[str, Any]) -> ListToolsResult:
        """Return a page of the tools that the key may call.

        Raises:
            InvalidParamsError: a cursor that we never gave.
        """
        principal = current_context().principal
        scopes = principal.scopes if principal else frozenset()
        page, cursor = take_page(
            [tool for tool in self.tools.values() if may_call(scopes, self.name, tool.name)], params
        )
        return ListToolsResult(tools=[tool.definition() for tool in page], next_cursor=cursor)

    def answer_call(self, params: Mapping[str, Any]) -> ToolAnswer:
        """Run the tool, or tell the model why it may not be run."""
        call = current_context().notes
        if isinstance(call, GovernedCall) and call.refusal:
            return error_answer(call.refusal)
        return super().answer_call(params)

    def conclude(self, context: CallContext, answer: dict[str, Any]) -> None:
        """Give back what was not spent, and record the call.

        Raises:
            UnavailableError: it could not be recorded, so nobody gets its answer.
        """
        call = context.notes
        if not isinstance(call, GovernedCall) or context.method != "tools/call":
            return
        call.patience.limit(2 * REQUEST_S)
        charged = self._settle(call, answer)
        rows = rows_of(context, call, answer, Ending(charged, self.governance.now_s()))
        try:
            self._record(call, rows)
        except StoreError as error:
            logger.warning("a call could not be recorded", extra={"reason": str(error)})
            if call.wall != "store":
                self._withhold(call, answer, error)

    def _withhold(self, call: GovernedCall, answer: Mapping[str, Any], error: StoreError) -> NoReturn:
        has_failed = "error" in answer or bool(answer["result"].get("isError"))
        if has_failed or call.wall or call.tool not in self.tool_names or self.find_tool(call.tool).read_only:
            raise UnavailableError("The call could not be recorded, so it is not answered: try again.") from error
        raise UnrecordedError from error

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
                call.usage = self.governance.counters.settle(call.taken, spent=spent, patience=call.patience)
            except StoreError as error:
                logger.warning("a reservation stays", extra={"reason": str(error), "tokens": reserved - spent})
                return reserved
        return spent

    def _record(self, call: GovernedCall, rows: list[AuditRow]) -> None:
        write = self.governance.audit.write
        if call.taken is not None or call.wall not in ("key_tokens_per_month", "team_tokens_per_month"):
            write(rows, now_s=call.started_s, patience=call.patience)
            return
        # Refused for its tokens, and a call of its minute all the same: counted while the row is written.
        with ThreadPoolExecutor(1) as pool:
            count, patience = self.governance.counters.count, self.governance.patience()
            counting = pool.submit(count, rows[0].team, rows[0].key_id, patience=patience)
            write(rows, now_s=call.started_s, patience=call.patience)
        if error := counting.exception():
            # The row says what the caller is told, and stays true.
            logger.warning("a refused call is not in its minute", extra={"reason": str(error)})
