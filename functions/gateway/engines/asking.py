"""How an engine on the web is asked: through the guard, within limits, for JSON of a documented shape."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ValidationError

from functions.gateway.engines.engine import EngineError
from functions.gateway.web_page import USER_AGENT

if TYPE_CHECKING:
    from guardedhttp import Network

TIMEOUT_S: Final = 6.0
"""For one engine: the others' results do not wait longer for it."""

MAX_BYTES: Final = 1_000_000


async def ask(  # noqa: PLR0913 -- the parts of one request
    method: str,
    url: str,
    *,
    params: Mapping[str, str | int] | None = None,
    json_body: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    network: "Network | None" = None,
) -> str:
    """Return the body of a 200 answer, as text.

    Raises:
        EngineError: there is none within the time and the size.
    """
    import httpx2  # noqa: PLC0415 -- 200 ms that other tools spare
    from guardedhttp import GuardError, Limits, guarded_client  # noqa: PLC0415 -- as above

    sent = {"User-Agent": USER_AGENT, "Accept": "application/json", **(headers or {})}
    limits = Limits(requests=1, bytes_per_answer=MAX_BYTES)
    try:
        async with guarded_client(timeout_s=TIMEOUT_S, headers=sent, network=network, limits=limits) as client:
            response = await client.request(method, url, params=params, json=json_body)
    except (GuardError, httpx2.HTTPError, TimeoutError):
        raise EngineError from None
    if response.status_code != 200:
        raise EngineError
    return response.content.decode("utf-8", "replace")


def read_answer[AnswerT: BaseModel](model: type[AnswerT], text: str) -> AnswerT:
    """Return *text* as the documented answer.

    Raises:
        EngineError: it is none.
    """
    try:
        return model.model_validate(json.loads(text))
    except (ValueError, RecursionError):
        raise EngineError from None


def read_items[ItemT: BaseModel](model: type[ItemT], items: list[Any]) -> list[ItemT]:
    """Return those of *items* that have the documented shape: one odd result does not cost the others."""
    found = []
    for item in items:
        try:
            found.append(model.model_validate(item))
        except ValidationError:
            continue
    return found
