"""A request and an answer, between the socket and the gateway."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl


@dataclass(frozen=True, slots=True)
class Request:
    """What came over the socket, body and all."""

    method: str
    path: str
    """As sent, percent-encoding kept, without the query."""
    query: str
    headers: tuple[tuple[str, str], ...]
    """Names in lower case, in the order sent."""
    body: bytes | None
    """None if it was larger than API Gateway takes."""
    client: str
    """The caller's address."""
    http_version: str = "1.1"

    def header(self, name: str) -> str | None:
        """Return the last value of the header called *name* (lower case)."""
        return next((value for key, value in reversed(self.headers) if key == name), None)

    def parameters(self) -> list[tuple[str, str]]:
        """Return the query's names and values, decoded."""
        return parse_qsl(self.query, keep_blank_values=True)


@dataclass(frozen=True, slots=True)
class Response:
    """What goes back over the socket."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def with_headers(self, headers: Iterable[tuple[str, str]]) -> "Response":
        """Return the same answer with more headers."""
        return Response(self.status, (*self.headers, *headers), self.body)


def media_type(value: str | None) -> str:
    """Return the type of a Content-Type or Accept header without parameters; `application/json` if there is none.

    Source: API Gateway Developer Guide: a request without Content-Type counts as application/json.
    """
    return (value or "").split(",")[0].split(";")[0].strip().lower() or "application/json"
