"""One page from the public web, through the guard: every hop checked, every part bounded."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mcpserver import SERVER_VERSION

if TYPE_CHECKING:
    import httpx2
    from guardedhttp import Network

MAX_REDIRECTS: Final = 5

MAX_BYTES: Final = 2_000_000
"""What is read of a page; the rest is left, and the result says that it is cut."""

USER_AGENT: Final = f"samcp-gateway/{SERVER_VERSION}"

_HEADERS: Final = {
    "User-Agent": USER_AGENT,
    "Accept": "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/json;q=0.8,*/*;q=0.5",
}


class TooManyRedirectsError(Exception):
    """The page only ever points elsewhere."""


class StatusError(Exception):
    """The server answered, but with no page."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status


@dataclass(frozen=True, slots=True)
class WebPage:
    """What a server sent."""

    final_url: str
    status: int
    content_type: str
    cache_control: str
    body: bytes
    is_cut: bool


async def fetch_page(url: str, *, timeout_s: float, network: "Network | None" = None) -> WebPage:
    """Return the page at *url*.

    Args:
        url: from anybody.
        timeout_s: for all hops together.
        network: what lies below the guard, for tests and development.

    Raises:
        StatusError: its status is not 2xx.
        TooManyRedirectsError: it does not end in a page.
        GuardError: the URL, or one that it leads to, is not public; or the answer is compressed.
        httpx2.HTTPError: the server did not answer, or not in HTTP.
        TimeoutError: the time is over.
    """
    from guardedhttp import Limits, RedirectPolicy, guarded_client  # noqa: PLC0415 -- 200 ms that other tools spare

    async with guarded_client(
        timeout_s=timeout_s,
        headers=_HEADERS,
        network=network,
        limits=Limits(requests=MAX_REDIRECTS + 1),
        redirects=RedirectPolicy.ANY_PUBLIC_HOST,
    ) as client:
        ports = network.loopback_ports if network else frozenset()
        for _ in range(MAX_REDIRECTS + 1):
            page = await _get(client, url, ports)
            if isinstance(page, WebPage):
                return page
            url = page
    raise TooManyRedirectsError


async def _get(client: "httpx2.AsyncClient", url: str, ports: frozenset[int]) -> "WebPage | str":
    """Return the page, or the URL that it redirects to."""
    from guardedhttp import RedirectPolicy, next_url  # noqa: PLC0415 -- as above

    async with AsyncExitStack() as stack:
        response = await stack.enter_async_context(client.stream("GET", url))
        location = response.headers.get("location")
        sent_to = str(response.request.url)
        following = next_url(
            "GET", sent_to, response.status_code, location, policy=RedirectPolicy.ANY_PUBLIC_HOST, loopback_ports=ports
        )
        if following is not None:
            return following
        if not response.is_success:
            raise StatusError(response.status_code)
        body = bytearray()
        async for part in response.aiter_raw():
            body += part
            if len(body) > MAX_BYTES:
                break
        return WebPage(
            final_url=sent_to,
            status=response.status_code,
            content_type=response.headers.get("content-type", ""),
            cache_control=",".join(response.headers.get_list("cache-control")),
            body=bytes(body[:MAX_BYTES]),
            is_cut=len(body) > MAX_BYTES,
        )
