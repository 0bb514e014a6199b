"""What MCP adds to the guarded transport: one origin, UTF-8, a brake on reconnecting, and a note of each status."""

import json
from functools import partial
from typing import Final, Literal

import httpx2
from guardedhttp import BlockedURLError, GuardedTransport, Limits, Network, ResponseRefusedError, TooManyRequestsError
from guardedhttp.body import CountedStream
from guardedhttp.redirects import REDIRECTS

from mcpclient.attempt import Attempt
from mcpclient.settings import ConnectionLimits
from mcpclient.values import ValueCount

MAX_RESUMPTIONS: Final = 8
"""How often one attempt may take up a broken stream again: `retry: 0` would do it 60 times a second, for ever."""

MAX_REDIRECTS: Final = 5
"""Of one message of legacy SSE. The SDK's own end is not told to anybody."""

_CLOSE_TIMEOUT_S: Final = 2.0
"""For the DELETE that ends a session: the result is there already."""

_UTF_8: Final = frozenset({None, "", "utf-8", "utf8", "us-ascii"})


class ForeignCharsetError(ResponseRefusedError):
    """The answer says that it is not UTF-8. Python would even take `charset=zlib`, and unpack it."""

    def __init__(self) -> None:
        super().__init__("the answer is not UTF-8")


class MCPTransport(httpx2.AsyncBaseTransport):
    """Carries one attempt's messages, to one origin."""

    def __init__(
        self,
        url: str,
        attempt: Attempt,
        *,
        kind: Literal["streamable-http", "sse"],
        limits: ConnectionLimits,
        network: Network | None,
    ) -> None:
        guarded = Limits(requests=limits.requests, bytes_per_answer=limits.bytes_per_answer)
        self._guarded = GuardedTransport(network=network, limits=guarded, on_refusal=attempt.refuse)
        self._origin = _origin_of(httpx2.URL(url))
        self._attempt = attempt
        self._kind = kind
        self._max_values = limits.values_per_answer
        self._resumptions = 0
        self._redirected = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send *request* if it belongs to the connection, and note the answer's status.

        Raises:
            GuardError: it does not, or the guard refuses it or its answer.
        """
        if _origin_of(request.url) != self._origin:
            # The headers carry the connection's credentials.
            self._attempt.refuse(error := BlockedURLError())
            raise error
        if request.method == "GET" and self._kind == "streamable-http":
            if "last-event-id" not in request.headers:
                # The stream for unasked messages: nobody here reads them, and it would cost each call a request.
                return httpx2.Response(405, request=request)
            self._count_resumption()
        if request.method == "DELETE":
            request.extensions["timeout"] = httpx2.Timeout(_CLOSE_TIMEOUT_S).as_dict()
        elif not self._attempt.is_given_up:
            # No answer to this one is no answer, whatever the one before was.
            self._attempt.http_status = None
        # What follows a redirect has the message as a stream still.
        await request.aread()
        response = await self._send(request)
        if request.method != "DELETE":
            self._attempt.http_status = response.status_code
        if self._stops_the_sdk(request) and self._is_not_taken(response):
            self._attempt.give_up()
        await self._check_charset(response)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = CountedStream(response.stream, partial(self._count_values, ValueCount(self._max_values)))
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._guarded.aclose()

    async def _send(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await self._guarded.handle_async_request(request)
        except httpx2.TransportError as error:
            if self._stops_the_sdk(request):
                self._attempt.give_up(error)
            raise

    def _stops_the_sdk(self, request: httpx2.Request) -> bool:
        # Legacy SSE answers on another stream: the SDK only logs that a message was not taken, sends no other, and
        # waits. After a response of ours (to a ping) what it waits for may still come.
        return self._kind == "sse" and request.method == "POST" and "method" in json.loads(request.content)

    def _is_not_taken(self, response: httpx2.Response) -> bool:
        """Tell whether a message ends with *response*, and not with a success."""
        self._redirected = self._redirected + 1 if response.status_code in REDIRECTS else 0
        # The guard has let pass only what the SDK follows: to the same origin, with the same method.
        return not response.is_success and not 0 < self._redirected <= MAX_REDIRECTS

    def _count_resumption(self) -> None:
        self._resumptions += 1
        if self._resumptions > MAX_RESUMPTIONS:
            self._attempt.refuse(error := TooManyRequestsError(MAX_RESUMPTIONS))
            raise error

    def _count_values(self, values: ValueCount, part: bytes) -> None:
        try:
            values.add(part)
        except ResponseRefusedError as error:
            self._attempt.refuse(error)
            raise

    async def _check_charset(self, response: httpx2.Response) -> None:
        # As httpx2 reads it, which would decode with it: `charset*=utf-8''punycode` is one, too.
        if response.charset_encoding not in _UTF_8:
            await response.aclose()
            self._attempt.refuse(error := ForeignCharsetError())
            raise error


def _origin_of(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
