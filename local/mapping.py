"""The part of API Gateway's mapping language that the template uses: text, `$context`, `$stageVariables`, headers.

Source: API Gateway Developer Guide, "Mapping template and access logging variable reference". Velocity directives and
functions are refused when the template is read, so that nothing is served here that AWS would answer otherwise.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from local.errors import TemplateError

_VARIABLE = re.compile(r"\$(?:\{)?(context|stageVariables)\.([A-Za-z0-9_.]+)\}?")
_VELOCITY = re.compile(r"[#$]")
_PARAMETER = re.compile(r"'[^']*'|(?:context|stageVariables)\.[A-Za-z0-9_.]+|method\.request\.header\.[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a mapping can read of one request."""

    context: Mapping[str, Any] = field(default_factory=dict)
    """As in `$context`: nested, `error` and `authorizer` included."""
    stage_variables: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    """By lower-case name."""


def check_template(text: str, where: str) -> str:
    """Return *text* if `render` can fill it in.

    Raises:
        TemplateError: it uses Velocity.
    """
    if _VELOCITY.search(_VARIABLE.sub("", text)):
        raise TemplateError(
            f"{where} uses Velocity, of which the local gateway knows only $context.name and $stageVariables.name."
        )
    return text


def check_parameter(expression: str, where: str) -> str:
    """Return *expression* if `parameter` can give its value.

    Raises:
        TemplateError: it is of a kind not known here.
    """
    if not _PARAMETER.fullmatch(expression):
        raise TemplateError(
            f"{where} maps {expression}: known here are text, context.*, stageVariables.*, method.request.header.*."
        )
    return expression


def render(text: str, scope: Scope) -> str:
    """Fill in a body template; an unknown variable becomes empty text, as on AWS."""
    return _VARIABLE.sub(lambda match: _look_up(match[1], match[2], scope), text)


def parameter(expression: str, scope: Scope) -> str:
    """Return the value of a header's mapping expression."""
    if expression.startswith("'"):
        return expression[1:-1]
    if expression.startswith("method.request.header."):
        return scope.headers.get(expression.removeprefix("method.request.header.").lower(), "")
    source, _, name = expression.partition(".")
    return _look_up(source, name, scope)


def _look_up(source: str, name: str, scope: Scope) -> str:
    if source == "stageVariables":
        return scope.stage_variables.get(name, "")
    value: Any = scope.context
    for key in name.split("."):
        value = value.get(key, "") if isinstance(value, Mapping) else ""
    return str(value)
