"""MOCK integrations: what API Gateway answers by itself, without a function.

Source: API Gateway Developer Guide, "Mock integrations for REST APIs" and "Integration passthrough behaviors".
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from local.errors import TemplateError
from local.http_message import Response
from local.mapping import Scope, check_parameter, check_template, parameter, render

_HEADER = "method.response.header."


@dataclass(frozen=True, slots=True)
class Mock:
    """One MOCK, read from the template: its answer depends only on the request's media type."""

    statuses: Mapping[str, int]
    """The request's media type -> the status that its template gives."""
    headers: Mapping[str, str]
    """Name -> mapping expression."""
    body: str
    status: int
    """What is sent once a template has matched."""
    is_strict: bool
    """passthroughBehavior `never` or `when_no_templates`: an unmatched media type is refused."""

    def takes(self, media_type: str) -> bool:
        """Tell whether a request of this media type has a template."""
        return media_type in self.statuses

    def answer(self, scope: Scope) -> Response:
        """Return the answer."""
        headers = [(name, parameter(expression, scope)) for name, expression in self.headers.items()]
        return Response(
            self.status, (("Content-Type", "application/json"), *headers), render(self.body, scope).encode()
        )


def parse_mock(integration: Mapping[str, Any], where: str) -> Mock:
    """Read an `x-amazon-apigateway-integration` of type `mock`.

    Raises:
        TemplateError: a template or mapping that is not known here.
    """
    templates = integration.get("requestTemplates", {})
    statuses = {kind.lower(): _status(text, where) for kind, text in templates.items()}
    if len(set(statuses.values())) != 1:
        raise TemplateError(f"{where}: a MOCK needs request templates, all with the same statusCode.")
    response = _response(integration.get("responses", {}), next(iter(statuses.values())), where)
    headers = {
        key.removeprefix(_HEADER): check_parameter(value, where)
        for key, value in response.get("responseParameters", {}).items()
    }
    body = response.get("responseTemplates", {}).get("application/json", "")
    strict = integration.get("passthroughBehavior", "when_no_match").lower() != "when_no_match"
    return Mock(statuses, headers, check_template(body, where), int(response["statusCode"]), strict)


def _status(text: str, where: str) -> int:
    try:
        return int(json.loads(text)["statusCode"])
    except (ValueError, KeyError, TypeError):
        raise TemplateError(f'{where}: a MOCK\'s request template must be {{"statusCode": number}}.') from None


def _response(responses: Mapping[str, Any], status: int, where: str) -> Mapping[str, Any]:
    """Return the first response whose pattern matches the status, else the default."""
    for pattern, response in responses.items():
        if pattern != "default" and re.fullmatch(pattern, str(status)):
            return dict(response)
    if "default" not in responses:
        raise TemplateError(f"{where}: a MOCK needs a default response.")
    return dict(responses["default"])
