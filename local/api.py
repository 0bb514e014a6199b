"""The template's REST API: routes, authorizers, gateway responses and stage, read from the translated body.

What is not known here is refused, so that a template which starts is served as AWS would serve it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from local.errors import TemplateError
from local.gateway_responses import GatewayResponses, parse_gateway_responses
from local.mock import Mock, parse_mock
from local.routes import ANY, LambdaTarget, Route, Routes
from local.template import Template

_METHODS = {"get", "put", "post", "delete", "options", "head", "patch"}
_ANY_METHOD = "x-amazon-apigateway-any-method"
_INTEGRATION = "x-amazon-apigateway-integration"
_URI = re.compile(
    r"arn:aws:apigateway:[^:]+:lambda:path/2015-03-31/functions/(arn:aws:lambda:[^/]+?:function:([^:/]+)(?::[^/]+)?)/invocations"
)


@dataclass(frozen=True, slots=True)
class Authorizer:
    """A Lambda authorizer."""

    kind: str
    """`request` or `token`."""
    target: LambdaTarget
    required_headers: tuple[str, ...]
    """Lower-case names; without them the caller is refused before the function is asked."""


@dataclass(frozen=True, slots=True)
class Api:
    """One REST API with its stage."""

    routes: Routes
    authorizers: Mapping[str, Authorizer]
    gateway_responses: GatewayResponses
    stage: str
    stage_variables: Mapping[str, str]
    binary_media_types: tuple[str, ...]


def api_of(template: Template) -> Api:
    """Read the REST API of *template*.

    Raises:
        TemplateError: there is none, more than one, or it holds what is not known here.
    """
    for other in ("AWS::ApiGatewayV2::Api", "AWS::Lambda::Url"):
        if any(template.resources(other)):
            raise TemplateError(
                f"template.yaml has an {other}: the local gateway serves REST APIs (AWS::Serverless::Api)."
            )
    apis = list(template.resources("AWS::ApiGateway::RestApi"))
    if len(apis) != 1:
        raise TemplateError(f"template.yaml has {len(apis)} REST APIs: the local gateway serves exactly one.")
    properties = template.resolver.resolve(apis[0][1]["Properties"])
    body = properties.get("Body", {})
    authorizers = dict(_authorizers(body.get("securityDefinitions", {})))
    stage, variables = _stage(template)
    return Api(
        routes=Routes(_routes(body, authorizers)),
        authorizers=authorizers,
        gateway_responses=parse_gateway_responses(body.get("x-amazon-apigateway-gateway-responses", {})),
        stage=stage,
        stage_variables=variables,
        binary_media_types=tuple(
            body.get("x-amazon-apigateway-binary-media-types", properties.get("BinaryMediaTypes", ()))
        ),
    )


def _stage(template: Template) -> tuple[str, dict[str, str]]:
    stages = [resource for _, resource in template.resources("AWS::ApiGateway::Stage")]
    if len(stages) != 1:
        raise TemplateError(f"template.yaml has {len(stages)} stages: the local gateway serves exactly one.")
    properties = template.resolver.resolve(stages[0]["Properties"])
    return properties["StageName"], {name: str(value) for name, value in properties.get("Variables", {}).items()}


def _routes(body: Mapping[str, Any], authorizers: Mapping[str, Authorizer]) -> Iterator[Route]:
    for path, methods in body.get("paths", {}).items():
        for name, method in methods.items():
            if name not in _METHODS and name != _ANY_METHOD:
                raise TemplateError(f"{path} holds {name}, which the local gateway does not know.")
            where = f"{name} {path}"
            security = method.get("security", body.get("security", []))
            target = _target(method.get(_INTEGRATION, {}), where)
            yield Route(
                path,
                ANY if name == _ANY_METHOD else name.upper(),
                target,
                _authorizer_name(security, authorizers, where),
            )


def _target(integration: Mapping[str, Any], where: str) -> LambdaTarget | Mock:
    kind = str(integration.get("type", "none")).lower()
    if kind == "mock":
        return parse_mock(integration, where)
    if kind == "aws_proxy":
        return _lambda_target(integration.get("uri", ""), where)
    raise TemplateError(f"{where} has an integration of type {kind}: the local gateway knows aws_proxy and mock.")


def _lambda_target(uri: str, where: str) -> LambdaTarget:
    match = _URI.fullmatch(uri)
    if match is None:
        raise TemplateError(f"{where} does not call a Lambda function of this template.")
    return LambdaTarget(function_name=match[2], invoked_arn=match[1])


def _authorizer_name(
    security: list[Mapping[str, Any]], authorizers: Mapping[str, Authorizer], where: str
) -> str | None:
    names = [name for requirement in security for name in requirement]
    unknown = next((name for name in names if name not in authorizers), None)
    if unknown is not None or len(names) > 1:
        raise TemplateError(
            f"{where} is secured by {', '.join(names)}: the local gateway knows one Lambda authorizer a route."
        )
    return names[0] if names else None


def _authorizers(definitions: Mapping[str, Any]) -> Iterator[tuple[str, Authorizer]]:
    """Yield the Lambda authorizers; a route that names another kind is refused where it does."""
    for name, definition in definitions.items():
        details = definition.get("x-amazon-apigateway-authorizer", {})
        kind = details.get("type")
        if kind not in {"request", "token"}:
            continue
        target = _lambda_target(details.get("authorizerUri", ""), f"The authorizer {name}")
        sources = details.get("identitySource") or (
            f"method.request.header.{definition['name']}" if kind == "token" else ""
        )
        yield name, Authorizer(kind, target, tuple(_headers(name, sources)))


def _headers(name: str, sources: str) -> Iterator[str]:
    for source in filter(None, (item.strip() for item in sources.split(","))):
        if not source.startswith("method.request.header."):
            raise TemplateError(
                f"The authorizer {name} reads {source}: the local gateway knows identity sources that are headers."
            )
        yield source.removeprefix("method.request.header.").lower()
