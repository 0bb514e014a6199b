"""Routes: from a request's method and path to what the template says there.

Source: API Gateway Developer Guide, "Proxy resources": a literal segment wins over {name}, {name} over {name+}.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from local.mock import Mock

ANY = "ANY"
"""The method of `x-amazon-apigateway-any-method`: whatever has no entry of its own."""


@dataclass(frozen=True, slots=True)
class LambdaTarget:
    """A proxy integration: the function and the ARN by which it is called."""

    function_name: str
    invoked_arn: str


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path."""

    path: str
    """As in the template: `/lab/mcp`, `/items/{id}`, `/{proxy+}`."""
    method: str
    target: LambdaTarget | Mock
    authorizer: str | None = None

    @property
    def function_name(self) -> str | None:
        """The function behind it, if any."""
        return self.target.function_name if isinstance(self.target, LambdaTarget) else None


@dataclass(frozen=True, slots=True)
class Match:
    """A route and what its path's parameters stand for in this request."""

    route: Route
    path: str
    """The request's path inside the stage."""
    path_parameters: Mapping[str, str]


class Routes:
    """The routes of one API."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.all = tuple(routes)
        self._by_path: dict[str, dict[str, Route]] = {}
        for route in self.all:
            self._by_path.setdefault(route.path, {})[route.method] = route

    def find(self, method: str, path: str) -> Match | None:
        """Return the route of a request, or None: API Gateway then says MISSING_AUTHENTICATION_TOKEN.

        A trailing slash is ignored.
        """
        segments = _segments(path)
        for template in sorted(self._by_path, key=_specificity):
            parameters = _capture(_segments(template), segments)
            if parameters is not None:
                methods = self._by_path[template]
                route = methods.get(method) or methods.get(ANY)
                return Match(route, path, parameters) if route else None
        return None


def _segments(path: str) -> list[str]:
    return path.strip("/").split("/")


def _specificity(template: str) -> list[int]:
    """Sort key: literal segments first, then {name}, then {name+}."""
    return [2 if segment.endswith("+}") else 1 if segment.startswith("{") else 0 for segment in _segments(template)]


def _capture(template: list[str], segments: list[str]) -> dict[str, str] | None:
    parameters: dict[str, str] = {}
    for index, part in enumerate(template):
        if part.endswith("+}"):
            parameters[part[1:-2]] = unquote("/".join(segments[index:]))
            return parameters if any(segments[index:]) else None
        if index >= len(segments):
            return None
        if part.startswith("{"):
            parameters[part[1:-1]] = unquote(segments[index])
        elif part != segments[index]:
            return None
    return parameters if len(template) == len(segments) else None
