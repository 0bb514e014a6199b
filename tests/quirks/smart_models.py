"""What the fixture gateway's seven tools take and return.

Source: GATEWAY.md, "Tools": names, arguments, defaults and ranges. The descriptions say no default and no range on
purpose: that is the layer's duty (corpus, case F17).
"""

from typing import Any, Literal

from pydantic import BaseModel, Field


class FetchArguments(BaseModel):
    """What `smart_fetch` takes."""

    url: str = Field(description="A public https page.")
    timeout: float = Field(15, ge=1, le=25, description="Seconds to wait for it.")


class SearchArguments(BaseModel):
    """What `smart_search` takes."""

    query: str = Field(description="What to look for.")
    max_results: int = Field(10, ge=1, le=50, description="How many results to return.")


class ContextGateArguments(BaseModel):
    """What `smart_context_gate` takes."""

    text: str = Field(description="The text to shorten.")
    ratio: float = Field(0.5, ge=0.1, le=0.9, description="The part of the tokens to keep.")
    purpose: str | None = Field(None, description="What the text is needed for.")


class DedupArguments(BaseModel):
    """What `smart_dedup` takes."""

    texts: list[str] = Field(description="Texts that may repeat each other.")
    threshold: float = Field(0.9, ge=0, le=1, description="How alike two texts must be.")


class Message(BaseModel):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"] = Field(description="Who speaks.")
    content: str = Field(description="What is said.")


class BudgetGuardArguments(BaseModel):
    """What `smart_budget_guard` takes."""

    action: Literal["check", "count", "record"] = Field(description="What to do.")
    text: str | None = Field(None, description="The text to count.")
    model: str | None = Field(None, description="The model whose tokens are counted.")
    tokens: int | None = Field(None, ge=0, description="Prompt tokens that were spent.")
    completion_tokens: int | None = Field(None, ge=0, description="Completion tokens that were spent.")
    messages: list[Message] | None = Field(None, description="A conversation to count.")
    team_id: str | None = Field(None, description="Whose budget it is.")
    monthly_limit: int | None = Field(None, ge=0, description="Tokens that the month may cost.")


class MemoryArguments(BaseModel):
    """What `smart_memory` takes."""

    action: Literal["add", "search", "list", "delete"] = Field(description="What to do.")
    text: str | None = Field(None, description="What to remember.")
    query: str | None = Field(None, description="What to recall.")
    id: str | None = Field(None, description="The memory to delete.")
    limit: int = Field(5, ge=1, le=50, description="How many memories to return.")


class Step(BaseModel):
    """One step of a pipeline."""

    tool: str = Field(description="The tool to run.")
    params: dict[str, Any] = Field(default_factory=dict, description="Its arguments.")


class PipeArguments(BaseModel):
    """What `smart_pipe` takes."""

    template: Literal["research", "read", "remember"] | None = Field(None, description="A ready-made pipeline.")
    steps: list[Step] | None = Field(None, max_length=8, description="A pipeline of your own.")
    url: str | None = Field(None, description="The page that the template reads.")
    query: str | None = Field(None, description="What the template looks for.")
    text: str | None = Field(None, description="What the template remembers.")


class Spent(BaseModel):
    """What every result carries: the tokens of a naive paste, those of this answer, and the difference."""

    tokens_in: int
    tokens_out: int
    tokens_saved: int
    tokenizer: str


class Page(Spent):
    """What `smart_fetch` returns."""

    url: str
    final_url: str
    status: int
    title: str
    markdown: str
    truncated: bool
    cache: Literal["hit", "miss"]


class Hit(BaseModel):
    """One result of a search."""

    title: str
    url: str
    snippet: str
    engine: str


class Engines(BaseModel):
    """How the engines did."""

    ok: list[str]
    failed: list[str]


class Hits(Spent):
    """What `smart_search` returns."""

    results: list[Hit]
    engines: Engines


class Excerpt(Spent):
    """What `smart_context_gate` returns."""

    text: str
    ratio: float
    dropped: int


class Removed(BaseModel):
    """One text that was a duplicate."""

    index: int
    duplicate_of: int
    score: float


class Distinct(Spent):
    """What `smart_dedup` returns."""

    kept: list[int]
    removed: list[Removed]
    texts: list[str]


class Budget(Spent):
    """What `smart_budget_guard` returns."""

    action: str
    estimate: int | None = None
    allowance: int | None = None
    recorded: int | None = None
    team_id: str | None = None


class Memory(BaseModel):
    """One thing remembered."""

    id: str
    text: str


class Memories(Spent):
    """What `smart_memory` returns."""

    action: str
    id: str | None = None
    memories: list[Memory] | None = None


class StepResult(BaseModel):
    """How one step went."""

    tool: str
    ok: bool
    result: dict[str, Any] | None = None
    problem: str | None = None


class Piped(Spent):
    """What `smart_pipe` returns."""

    steps: list[StepResult]
