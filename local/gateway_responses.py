"""What API Gateway says by itself: the gateway responses, customised by the template or inherited.

Source: API Gateway Developer Guide, "Gateway response types for API Gateway".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from local.errors import TemplateError
from local.http_message import Response
from local.mapping import Scope, check_parameter, check_template, parameter, render

_HEADER = "gatewayresponse.header."
_PLAIN_BODY = '{"message":$context.error.messageString}'


class GatewayError(StrEnum):
    """The response types of API Gateway."""

    ACCESS_DENIED = "ACCESS_DENIED"
    API_CONFIGURATION_ERROR = "API_CONFIGURATION_ERROR"
    AUTHORIZER_CONFIGURATION_ERROR = "AUTHORIZER_CONFIGURATION_ERROR"
    AUTHORIZER_FAILURE = "AUTHORIZER_FAILURE"
    BAD_REQUEST_BODY = "BAD_REQUEST_BODY"
    BAD_REQUEST_PARAMETERS = "BAD_REQUEST_PARAMETERS"
    DEFAULT_4XX = "DEFAULT_4XX"
    DEFAULT_5XX = "DEFAULT_5XX"
    EXPIRED_TOKEN = "EXPIRED_TOKEN"  # noqa: S105 - a response type, not a password
    INTEGRATION_FAILURE = "INTEGRATION_FAILURE"
    INTEGRATION_TIMEOUT = "INTEGRATION_TIMEOUT"
    INVALID_API_KEY = "INVALID_API_KEY"
    INVALID_SIGNATURE = "INVALID_SIGNATURE"
    MISSING_AUTHENTICATION_TOKEN = "MISSING_AUTHENTICATION_TOKEN"  # noqa: S105 - a response type, not a password
    QUOTA_EXCEEDED = "QUOTA_EXCEEDED"
    REQUEST_TOO_LARGE = "REQUEST_TOO_LARGE"
    RESOURCE_NOT_FOUND = "RESOURCE_NOT_FOUND"
    THROTTLED = "THROTTLED"
    UNAUTHORIZED = "UNAUTHORIZED"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    WAF_FILTERED = "WAF_FILTERED"


_DEFAULTS: Mapping[GatewayError, tuple[int, str]] = {
    GatewayError.ACCESS_DENIED: (403, "User is not authorized to access this resource"),
    GatewayError.API_CONFIGURATION_ERROR: (500, "Internal server error"),
    GatewayError.AUTHORIZER_CONFIGURATION_ERROR: (500, "Internal server error"),
    GatewayError.AUTHORIZER_FAILURE: (500, "Internal server error"),
    GatewayError.BAD_REQUEST_BODY: (400, "Invalid request body"),
    GatewayError.DEFAULT_4XX: (400, "Bad Request"),
    GatewayError.DEFAULT_5XX: (502, "Internal server error"),
    GatewayError.INTEGRATION_FAILURE: (504, "Internal server error"),
    GatewayError.INTEGRATION_TIMEOUT: (504, "Endpoint request timed out"),
    GatewayError.MISSING_AUTHENTICATION_TOKEN: (403, "Missing Authentication Token"),
    GatewayError.REQUEST_TOO_LARGE: (413, "Request Too Long"),
    GatewayError.UNAUTHORIZED: (401, "Unauthorized"),
    GatewayError.UNSUPPORTED_MEDIA_TYPE: (415, "Unsupported Media Type"),
}
"""Status and text of the types that occur here. DEFAULT_5XX itself is what a crashed function gives: 502."""


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """One customised type."""

    status: int | None
    """None: the type's own."""
    headers: Mapping[str, str]
    """Name -> mapping expression."""
    body: str


class GatewayResponses:
    """All of an API's gateway responses."""

    def __init__(self, customised: Mapping[str, GatewayResponse]) -> None:
        self._customised = customised

    def answer(self, error: GatewayError, scope: Scope, *, status: int | None = None) -> Response:
        """Return the answer of one type; *status* replaces the usual one where the template fixes none."""
        usual, message = _DEFAULTS.get(error, (500, "Internal server error"))
        chosen, inherited = self._find(error, usual)
        code = status or usual if chosen.status is None or inherited else chosen.status
        context = {
            **scope.context,
            "error": {"message": message, "messageString": f'"{message}"', "responseType": str(error)},
        }
        full = Scope(context, scope.stage_variables, scope.headers)
        headers = [(name, parameter(expression, full)) for name, expression in chosen.headers.items()]
        return Response(code, (("Content-Type", "application/json"), *headers), render(chosen.body, full).encode())

    def _find(self, error: GatewayError, usual: int) -> tuple[GatewayResponse, bool]:
        """Return the response of a type and whether it is inherited: a customised type inherits nothing."""
        if error in self._customised:
            return self._customised[error], False
        family = GatewayError.DEFAULT_4XX if usual < 500 else GatewayError.DEFAULT_5XX
        return self._customised.get(family, GatewayResponse(None, {}, _PLAIN_BODY)), True


def parse_gateway_responses(definitions: Mapping[str, Any]) -> GatewayResponses:
    """Read `x-amazon-apigateway-gateway-responses` of an API's body.

    Raises:
        TemplateError: an unknown type, or a mapping not known here.
    """
    return GatewayResponses({name: _parse(name, definition) for name, definition in definitions.items()})


def _parse(name: str, definition: Mapping[str, Any]) -> GatewayResponse:
    if name not in GatewayError:
        raise TemplateError(f"{name} is not a gateway response of API Gateway.")
    where = f"The gateway response {name}"
    headers = {
        key.removeprefix(_HEADER): check_parameter(value, where)
        for key, value in definition.get("responseParameters", {}).items()
        if key.startswith(_HEADER)
    }
    body = definition.get("responseTemplates", {}).get("application/json", _PLAIN_BODY)
    status = definition.get("statusCode")
    return GatewayResponse(int(status) if status else None, headers, check_template(body, where))
