"""What `smart_pipe` takes and returns."""

from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from functions.gateway.smart_tool import Spent

MAX_STEPS: Final = 8


class PipeStep(BaseModel):
    """One step of a pipeline."""

    tool: str = Field(max_length=64, description="One of the other smart_ tools.")
    params: dict[str, Any] = Field(
        default_factory=dict,
        description="Its arguments. A value that is wholly a reference is taken from an earlier step's result: "
        "$1.markdown is member markdown of step 1 (steps count from 1), $1.results.0.url the first hit's url, "
        "$1.results.*.snippet a list of every hit's snippet. Nothing is put into the middle of a text.",
    )
    arguments: dict[str, Any] = Field(default_factory=dict, description="The same as params, where that is not given.")


class PipeArguments(BaseModel):
    """What `smart_pipe` takes."""

    template: Literal["research", "read", "remember"] | None = Field(
        None,
        description="research: search for query, read the best hit that is a web page, shorten it for query; where no "
        "hit is one, shorten what the hits say. read: fetch url and shorten it for query. remember: keep text, or the "
        "short form of url.",
    )
    steps: list[PipeStep] | None = Field(
        None,
        max_length=MAX_STEPS,
        description=f"A pipeline of your own, {MAX_STEPS} steps at most, in place of template.",
    )
    url: str | None = Field(None, max_length=8192, description="The page; templates read and remember.")
    query: str | None = Field(None, max_length=2000, description="What it is for; templates research and read.")
    text: str | None = Field(None, max_length=16_000, description="What to keep; template remember.")


class StepResult(BaseModel):
    """How one step went."""

    tool: str
    ok: bool
    result: dict[str, Any] | None = Field(None, description="What the tool returned; long texts may be cut.")
    problem: str | None = Field(None, description="Why the pipe stopped here.")
    truncated: bool | None = Field(None, description="Whether the result was cut, to keep the answer short.")


class Piped(Spent):
    """What `smart_pipe` returns."""

    steps: list[StepResult]
    completed: bool = Field(description="Whether every step ran and succeeded.")
