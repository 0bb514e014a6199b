"""Tools that ask the client. Names, keys and texts are the suite's."""

from mcp_types import PromptMessage, TextContent
from pydantic import BaseModel

from mcpserver import CallContext, MCPPromptBase, asking, tool
from mcpserver.prompt import NoArguments


class Name(BaseModel):
    """Who."""

    name: str


class Confirmation(BaseModel):
    """Whether."""

    ok: bool


class Color(BaseModel):
    """Which."""

    color: str


class Context(BaseModel):
    """About what."""

    context: str


@tool
async def test_input_required_result_elicitation(context: CallContext) -> str:
    """Ask for a name."""
    answer = await context.elicit(Name, "What is your name?", key="user_name")
    return "Hello, nobody!" if answer is None else f"Hello, {answer.name}!"


@tool
async def test_input_required_result_sampling(context: CallContext) -> str:
    """Ask the model."""
    answer = await context.sample("What is the capital of France?", max_tokens=100, key="capital_question")
    return answer.content.text if isinstance(answer.content, TextContent) else "no text"


@tool
async def test_input_required_result_list_roots(context: CallContext) -> str:
    """Ask for the roots."""
    return ", ".join(await context.list_roots(key="client_roots"))


@tool
async def test_input_required_result_request_state(context: CallContext) -> str:
    """Ask for a confirmation, and say that the state came back."""
    await context.elicit(Confirmation, "Please confirm", key="confirm")
    return "state-ok"


@tool
async def test_input_required_result_tampered_state(context: CallContext) -> str:
    """Ask for a confirmation."""
    await context.elicit(Confirmation, "Please confirm", key="confirm")
    return "confirmed"


@tool
async def test_input_required_result_multiple_inputs(context: CallContext) -> str:
    """Ask three things at once."""
    answers = await context.ask(
        {
            "user_name": asking.form("What is your name?", Name),
            "greeting": asking.sampling("Generate a greeting", max_tokens=50),
            "client_roots": asking.roots(),
        }
    )
    return f"{len(answers)} answers"


@tool
async def test_input_required_result_multi_round(context: CallContext) -> str:
    """Ask one thing after the other."""
    name = await context.elicit(Name, "Step 1: What is your name?", key="step1")
    color = await context.elicit(Color, "Step 2: What is your favorite color?", key="step2")
    return f"{name and name.name} likes {color and color.color}."


@tool
async def test_input_required_result_capabilities(context: CallContext) -> str:
    """Ask only what the client can answer."""
    if "elicitation" in context.capabilities:
        await context.elicit(Name, "What is your name?", key="user_name")
    if "sampling" in context.capabilities:
        await context.sample("Say hello", max_tokens=20, key="greeting")
    return "nothing to ask"


@tool
async def test_streaming_elicitation(context: CallContext) -> str:
    """Report progress, then ask."""
    context.report_progress(1, 2)
    await context.elicit(Name, "What is your name?")
    return "done"


@tool
async def test_missing_capability(context: CallContext) -> str:
    """Ask the model, of a client that may have none."""
    await context.sample("Say hello", max_tokens=20)
    return "done"


@tool
async def test_sampling(context: CallContext, prompt: str) -> str:
    """Ask the model, as clients before 2026-07-28 are asked on an open stream: this server has none."""
    await context.sample(prompt, max_tokens=100)
    return "done"


@tool
async def test_elicitation(context: CallContext, message: str) -> str:
    """Ask the user, as clients before 2026-07-28 are asked on an open stream: this server has none."""
    await context.elicit(Name, message)
    return "done"


@tool
async def test_elicitation_sep1034_defaults(context: CallContext) -> str:
    """Ask the user, with defaults."""
    await context.elicit(Name, "Who?")
    return "done"


@tool
async def test_elicitation_sep1330_enums(context: CallContext) -> str:
    """Ask the user, with choices."""
    await context.elicit(Name, "Who?")
    return "done"


class AskingPrompt(MCPPromptBase[NoArguments]):
    """A prompt that asks."""

    name = "test_input_required_result_prompt"
    title = "Asking prompt"
    description = "A prompt that needs to know something first."

    async def render(self, arguments: NoArguments) -> list[PromptMessage]:  # noqa: ARG002 -- it takes none
        """Return the prompt, about what the user said."""
        answer = await self.context.elicit(Context, "What context should the prompt use?", key="user_context")
        text = "Without context." if answer is None else f"With context: {answer.context}"
        return [PromptMessage(role="user", content=TextContent(text=text))]


ASKING_TOOLS = (
    test_input_required_result_elicitation,
    test_input_required_result_sampling,
    test_input_required_result_list_roots,
    test_input_required_result_request_state,
    test_input_required_result_tampered_state,
    test_input_required_result_multiple_inputs,
    test_input_required_result_multi_round,
    test_input_required_result_capabilities,
    test_streaming_elicitation,
    test_missing_capability,
    test_sampling,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
)
