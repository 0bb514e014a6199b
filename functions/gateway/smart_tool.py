"""What the seven tools share: titles and hints from one table, the tokens of every result, the bound to reserve."""

from abc import abstractmethod
from collections.abc import Coroutine, Mapping
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, Field

from functions.gateway.tokens import MAX_RESULT_TOKENS
from governance.call import GovernedCall
from governance.limits import Limits
from mcpserver import MCPToolBase

SERVER_NAME: Final = "gateway"
"""The server's name, and the scope that a key needs."""


class Facts(NamedTuple):
    """What a host shows of a tool, beside its description."""

    title: str
    read_only: bool
    open_world: bool = False
    destructive: bool = False


FACTS: Final[Mapping[str, Facts]] = {
    "smart_fetch": Facts("Fetch a page", read_only=True, open_world=True),
    "smart_search": Facts("Search the web", read_only=True, open_world=True),
    "smart_context_gate": Facts("Shorten a text", read_only=True),
    "smart_dedup": Facts("Remove near-duplicates", read_only=True),
    "smart_budget_guard": Facts("Guard the token budget", read_only=False),
    "smart_memory": Facts("Remember and recall", read_only=False, destructive=True),
    "smart_pipe": Facts("Run a pipeline", read_only=False, open_world=True, destructive=True),
}
"""By tool name, in the order of tools/list. Source: GATEWAY.md, "Tools"."""


class Spent(BaseModel):
    """What every result carries."""

    tokens_in: int = Field(description="What a paste of the whole input would have cost, in tokens.")
    tokens_out: int = Field(description="What this answer costs, in tokens.")
    tokens_saved: int = Field(description="The difference, 0 at least.")
    tokenizer: str = Field(description="What the tokens were counted with.")


class SmartTool[ArgumentsT: BaseModel](MCPToolBase[ArgumentsT]):
    """A tool of the gateway. A subclass sets `name`, `description`, `arguments_model` and writes `run`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Take title and hints from the table, and the scope and the registry name from the name."""
        super().__init_subclass__(**kwargs)
        if "name" in cls.__dict__:
            facts = FACTS[cls.name]
            cls.title, cls.read_only = facts.title, facts.read_only
            cls.open_world, cls.destructive = facts.open_world, facts.destructive
            cls.aliases = (cls.name.removeprefix("smart_"),)

    @abstractmethod
    def run(self, arguments: ArgumentsT) -> Spent | Coroutine[Any, Any, Spent]:
        """Do the work, or return a coroutine that does.

        Raises:
            MCPServerToolError: a sentence for the model, which can then try again.
        """

    def token_bound(self, arguments: Mapping[str, Any]) -> int:  # noqa: ARG002 -- a subclass's bound depends on them
        """Return the most `tokens_out` that a call with these raw arguments can have; never raises.

        It is reserved before the tool runs, so that no month's budget is overspent. Source: GATEWAY.md, "Governance".
        """
        return MAX_RESULT_TOKENS

    def booked_bound(self, arguments: Mapping[str, Any]) -> int:  # noqa: ARG002 -- as above
        """Return the most tokens spent elsewhere that a call with these raw arguments books; never raises."""
        return 0

    @property
    def call_notes(self) -> GovernedCall:
        """The running call's governance; a blank one outside of any server (a unit test)."""
        notes = self.context.notes
        return notes if isinstance(notes, GovernedCall) else GovernedCall(0.0, Limits())

    @property
    def team(self) -> str:
        """The tenant: what one team keeps, no other sees."""
        principal = self.context.principal
        return "" if principal is None else principal.attributes.get("team", "")
