"""The fixture gateway's seven tools: small, without state, always the same answer.

Source: GATEWAY.md, "Tools". The real ones are `functions/gateway`'s.
"""

import hashlib
from typing import Any, ClassVar

from pydantic import BaseModel

from mcpserver import MCPServerToolError, MCPToolBase
from tests.quirks.smart_models import (
    Budget,
    BudgetGuardArguments,
    ContextGateArguments,
    DedupArguments,
    Distinct,
    Engines,
    Excerpt,
    FetchArguments,
    Hit,
    Hits,
    Memories,
    Memory,
    MemoryArguments,
    Page,
    PipeArguments,
    Piped,
    Removed,
    SearchArguments,
    StepResult,
)

MONTHLY_TOKENS = 2_000_000
"""What a month may cost where the caller says no less."""


def count_tokens(text: str) -> int:
    """Return how many words *text* has: the fixture's tokens."""
    return len(text.split())


def spent(naive: str, answer: str) -> dict[str, Any]:
    """Return the four members that every result carries."""
    tokens_in, tokens_out = count_tokens(naive), count_tokens(answer)
    saved = max(0, tokens_in - tokens_out)
    return {"tokens_in": tokens_in, "tokens_out": tokens_out, "tokens_saved": saved, "tokenizer": "words"}


class SmartFetch(MCPToolBase[FetchArguments]):
    """A page, always the same."""

    name = "smart_fetch"
    aliases = ("fetch",)
    title = "Fetch a page"
    description = "Read one public page as Markdown. Use it when you have a URL; to find one, use smart_search."
    arguments_model: type[BaseModel] = FetchArguments
    open_world = True

    def run(self, arguments: FetchArguments) -> Page:
        """Return the page."""
        markdown = "# Example\n\nA page."
        return Page(
            **spent(markdown + " and its menus", markdown),
            url=arguments.url,
            final_url=arguments.url,
            status=200,
            title="Example",
            markdown=markdown,
            truncated=False,
            cache="miss",
        )


class SmartSearch(MCPToolBase[SearchArguments]):
    """As many results as were asked for."""

    name = "smart_search"
    aliases = ("search",)
    title = "Search the web"
    description = "Find pages about a question. Use it when you have no URL; to read one, use smart_fetch."
    arguments_model: type[BaseModel] = SearchArguments
    open_world = True

    def run(self, arguments: SearchArguments) -> Hits:
        """Return the results."""
        hits = [
            Hit(title=f"Result {number}", url=f"https://example.com/{number}", snippet="A page.", engine="one")
            for number in range(1, arguments.max_results + 1)
        ]
        titles = " ".join(hit.title for hit in hits)
        return Hits(**spent(titles, titles), results=hits, engines=Engines(ok=["one"], failed=["two"]))


class SmartContextGate(MCPToolBase[ContextGateArguments]):
    """The first sentences."""

    name = "smart_context_gate"
    aliases = ("context_gate",)
    title = "Shorten a text"
    description = "Keep what serves a purpose of a long text. Use it before you paste; not for code."
    arguments_model: type[BaseModel] = ContextGateArguments

    def run(self, arguments: ContextGateArguments) -> Excerpt:
        """Return the beginning, as long as the ratio says."""
        sentences = arguments.text.split(". ")
        kept = sentences[: max(1, round(len(sentences) * arguments.ratio))]
        text = ". ".join(kept)
        return Excerpt(
            **spent(arguments.text, text),
            text=text,
            ratio=len(kept) / len(sentences),
            dropped=len(sentences) - len(kept),
        )


class SmartDedup(MCPToolBase[DedupArguments]):
    """Equal texts, once."""

    name = "smart_dedup"
    aliases = ("dedup",)
    title = "Remove duplicates"
    description = "Drop texts that repeat each other. Use it on search results and logs; the order stays."
    arguments_model: type[BaseModel] = DedupArguments

    def run(self, arguments: DedupArguments) -> Distinct:
        """Return the first of each."""
        first: dict[str, int] = {}
        removed: list[Removed] = []
        for index, text in enumerate(arguments.texts):
            if text in first:
                removed.append(Removed(index=index, duplicate_of=first[text], score=1.0))
            else:
                first[text] = index
        kept = [arguments.texts[index] for index in first.values()]
        used = spent(" ".join(arguments.texts), " ".join(kept))
        return Distinct(**used, kept=[*first.values()], removed=removed, texts=kept)


class SmartBudgetGuard(MCPToolBase[BudgetGuardArguments]):
    """Counts, and says what is left."""

    name = "smart_budget_guard"
    aliases = ("budget_guard",)
    title = "Guard the budget"
    description = "Count tokens, check the allowance, record what was spent. Use it before a large paste."
    arguments_model: type[BaseModel] = BudgetGuardArguments
    read_only = False

    def run(self, arguments: BudgetGuardArguments) -> Budget:
        """Do what the action says."""
        said = [arguments.text or "", *(message.content for message in arguments.messages or [])]
        text = " ".join(said)
        budget = Budget(**spent(text, ""), action=arguments.action, team_id=arguments.team_id)
        if arguments.action == "count":
            budget.estimate = count_tokens(text)
        elif arguments.action == "check":
            limit = arguments.monthly_limit
            budget.allowance = MONTHLY_TOKENS if limit is None else min(limit, MONTHLY_TOKENS)
        else:
            budget.recorded = (arguments.tokens or 0) + (arguments.completion_tokens or 0)
        return budget


class SmartMemory(MCPToolBase[MemoryArguments]):
    """A memory with one thing in it."""

    name = "smart_memory"
    aliases = ("memory",)
    title = "Remember"
    description = "Keep and recall notes. Use it for what a later conversation needs; never for secrets."
    arguments_model: type[BaseModel] = MemoryArguments
    read_only = False

    def run(self, arguments: MemoryArguments) -> Memories:
        """Do what the action says."""
        text = arguments.text or arguments.query or ""
        memory = Memory(id=arguments.id or hashlib.sha256(text.encode()).hexdigest()[:12], text=text or "a note")
        result = Memories(**spent(text, text), action=arguments.action)
        if arguments.action in ("add", "delete"):
            result.id = memory.id
        else:
            result.memories = [memory][: arguments.limit]
        return result


class SmartPipe(MCPToolBase[PipeArguments]):
    """Runs the other six."""

    name = "smart_pipe"
    aliases = ("pipe",)
    title = "Run a pipeline"
    description = "Run several of these tools in order, in one call. Use it to save round trips; at most eight steps."
    arguments_model: type[BaseModel] = PipeArguments
    open_world = True
    read_only = False

    TEMPLATES: ClassVar[dict[str, str]] = {
        "research": "smart_search",
        "read": "smart_fetch",
        "remember": "smart_memory",
    }

    def run(self, arguments: PipeArguments) -> Piped:
        """Run each step until one fails."""
        if arguments.template is None and not arguments.steps:
            raise MCPServerToolError("smart_pipe: give template (research, read, remember) or steps.")
        steps = [(step.tool, step.params) for step in arguments.steps or []]
        if arguments.template is not None:
            steps.append((self.TEMPLATES[arguments.template], _template_params(arguments)))
        results: list[StepResult] = []
        for name, params in steps:
            results.append(_run_step(name, params))
            if not results[-1].ok:
                break
        return Piped(**spent("", ""), steps=results)


def _template_params(arguments: PipeArguments) -> dict[str, Any]:
    if arguments.template == "read":
        return {"url": arguments.url or "https://example.com/"}
    if arguments.template == "remember":
        return {"action": "add", "text": arguments.text or ""}
    return {"query": arguments.query or ""}


def _run_step(name: str, params: dict[str, Any]) -> StepResult:
    tool = _SINGLE_TOOLS.get(name) or _SINGLE_TOOLS.get(f"smart_{name}")
    if tool is None:
        return StepResult(tool=name, ok=False, problem="There is no such tool.")
    try:
        result: BaseModel = tool.run(tool.validate(params))
    except MCPServerToolError as error:
        return StepResult(tool=tool.name, ok=False, problem=str(error))
    return StepResult(tool=tool.name, ok=True, result=result.model_dump(mode="json", exclude_none=True))


_SINGLE_TOOLS: dict[str, MCPToolBase[Any]] = {
    tool.name: tool
    for tool in (SmartFetch(), SmartSearch(), SmartContextGate(), SmartDedup(), SmartBudgetGuard(), SmartMemory())
}

SMART_TOOLS: tuple[MCPToolBase[Any], ...] = (*_SINGLE_TOOLS.values(), SmartPipe())
