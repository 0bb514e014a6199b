"""What AWS would be given: assertions on template.yaml, translated and resolved."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from local.api import Api, api_of
from local.function import functions_of
from local.gateway import INTEGRATION_TIMEOUT_S
from local.gateway_responses import GatewayError
from local.http_message import Response
from local.mapping import Scope
from local.mock import Mock
from local.routes import ANY
from local.template import Template, load_template
from mcpserver.http_adapter import AdapterSettings
from mcpserver.receiver_settings import ReceiverSettings

ROOT = Path(__file__).parent.parent
TEMPLATE = ROOT / "template.yaml"
BASIC = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
XRAY = "arn:aws:iam::aws:policy/AWSXrayWriteOnlyAccess"


@pytest.fixture(scope="module")
def template() -> Template:
    """The template with its defaults."""
    return load_template(TEMPLATE)


@pytest.fixture(scope="module")
def api(template: Template) -> Api:
    """Its REST API."""
    return api_of(template)


def properties(template: Template, kind: str) -> dict[str, dict[str, Any]]:
    """Return logical id -> resolved properties of each resource of a type."""
    return {name: template.resolver.resolve(resource["Properties"]) for name, resource in template.resources(kind)}


def headers(response: Response) -> Mapping[str, str]:
    """Return a gateway response's headers."""
    return dict(response.headers)


def mcp_paths(api: Api) -> set[str]:
    """Return the paths that a server answers on."""
    return {route.path for route in api.routes.all if route.function_name}


def test_the_lab_server_answers_post_on_its_path(api: Api) -> None:
    """SPEC 3, routes."""
    match = api.routes.find("POST", "/lab/mcp")
    assert match is not None
    assert match.route.function_name == "LabFunction"


def test_every_server_has_its_405_and_its_preflight_without_a_function(api: Api) -> None:
    """SPEC 2.3; HOSTS rule 7: a GET that runs a function, or is answered otherwise, loses hosts."""
    for path in mcp_paths(api):
        methods = {route.method: route.target for route in api.routes.all if route.path == path}
        assert set(methods) == {"POST", "OPTIONS", ANY}
        refusal = methods[ANY]
        assert isinstance(refusal, Mock)
        assert isinstance(methods["OPTIONS"], Mock)
        answer = refusal.answer(Scope())
        assert (answer.status, headers(answer)["Allow"]) == (405, "POST")
        assert all(map(refusal.takes, ("application/json", "text/event-stream", "application/x-www-form-urlencoded")))
        assert json.loads(answer.body)["error"]["code"] == -32600


def test_a_preflight_lets_browsers_send_what_mcp_needs(api: Api) -> None:
    """SPEC 2.3; Fetch standard: `*` is any header but Authorization, where no cookies are sent."""
    match = api.routes.find("OPTIONS", "/lab/mcp")
    assert match is not None
    assert isinstance(match.route.target, Mock)
    sent = headers(match.route.target.answer(Scope()))
    allowed = {name.lower() for name in sent["Access-Control-Allow-Headers"].split(",")}
    assert {
        "content-type",
        "authorization",
        "x-api-key",
        "accept",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
    } <= allowed
    assert {"mcp-session-id", "last-event-id", "traceparent", "*"} <= allowed
    assert sent["Access-Control-Allow-Methods"] == "POST,OPTIONS"
    assert sent["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (GatewayError.UNAUTHORIZED, 401, -32001),
        (GatewayError.ACCESS_DENIED, 403, -32003),
        (GatewayError.MISSING_AUTHENTICATION_TOKEN, 404, -32600),
        (GatewayError.REQUEST_TOO_LARGE, 413, -32600),
        (GatewayError.UNSUPPORTED_MEDIA_TYPE, 415, -32600),
        (GatewayError.BAD_REQUEST_BODY, 400, -32600),
        (GatewayError.THROTTLED, 429, -32004),
        (GatewayError.QUOTA_EXCEEDED, 429, -32004),
        (GatewayError.INTEGRATION_TIMEOUT, 504, -32603),
        (GatewayError.DEFAULT_4XX, 400, -32600),
        (GatewayError.DEFAULT_5XX, 502, -32603),
        (GatewayError.AUTHORIZER_FAILURE, 503, -32603),
    ],
)
def test_what_the_gateway_says_is_a_json_rpc_error(api: Api, error: GatewayError, status: int, code: int) -> None:
    """Decision 1: clients read a JSON-RPC body where API Gateway would send a bare message."""
    answer = api.gateway_responses.answer(error, Scope())
    assert answer.status == status
    assert json.loads(answer.body).keys() == {"jsonrpc", "id", "error"}
    assert json.loads(answer.body)["error"]["code"] == code
    assert headers(answer)["Access-Control-Allow-Origin"] == "*"
    assert headers(answer)["Access-Control-Expose-Headers"] == "WWW-Authenticate,Retry-After"


def test_the_challenge_and_the_wait_are_in_the_headers(api: Api) -> None:
    """RFC 9110, 11.6.1 and 10.2.3."""
    assert headers(api.gateway_responses.answer(GatewayError.UNAUTHORIZED, Scope()))["WWW-Authenticate"].startswith(
        "Bearer"
    )
    for error in (GatewayError.THROTTLED, GatewayError.QUOTA_EXCEEDED):
        assert int(headers(api.gateway_responses.answer(error, Scope()))["Retry-After"]) > 0


def test_the_stage_is_throttled_and_knows_its_url(template: Template, api: Api) -> None:
    """SPEC 3: public servers are throttled at the stage. PLATFORM: the own URL is a stage variable."""
    stage = next(iter(properties(template, "AWS::ApiGateway::Stage").values()))
    every = stage["MethodSettings"][0]
    assert (every["HttpMethod"], every["ResourcePath"]) == ("*", "/*")
    assert 0 < every["ThrottlingRateLimit"] <= every["ThrottlingBurstLimit"]
    assert api.stage_variables["url"].endswith("amazonaws.com/prod")
    own = api_of(load_template(TEMPLATE, {"PublicUrl": "https://mcp.example.com", "Stage": "dev"}))
    assert (own.stage, own.stage_variables["url"]) == ("dev", "https://mcp.example.com")


def test_the_api_is_regional_and_text_only(template: Template, api: Api) -> None:
    """Decision 1: no CloudFront in front, and bodies arrive as text."""
    rest = next(iter(properties(template, "AWS::ApiGateway::RestApi").values()))
    assert rest["EndpointConfiguration"] == {"Types": ["REGIONAL"]}
    assert api.binary_media_types == ()


SQS = "arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole"


def test_a_role_may_write_logs_and_traces_and_little_else(template: Template) -> None:
    """Least privilege: only what goes out has a policy of its own, and only the worker reads the queue."""
    for name, role in properties(template, "AWS::IAM::Role").items():
        queue = {SQS} if name == "DiscoveryWorkerFunctionRole" else set()
        assert set(role.get("ManagedPolicyArns", ())) <= {BASIC, XRAY, *queue}
        service = "scheduler.amazonaws.com" if name.endswith("ScheduleRole") else "lambda.amazonaws.com"
        statements = role["AssumeRolePolicyDocument"]["Statement"]
        assert [statement["Principal"] for statement in statements] == [{"Service": [service]}]
    assert "Policies" not in properties(template, "AWS::IAM::Role")["LabFunctionRole"]


def test_only_the_api_may_call_a_server_and_only_on_its_route(template: Template) -> None:
    """The permission names the method and the path, and the alias; what has no route has no permission."""
    found = properties(template, "AWS::Lambda::Permission")
    authorizer = found.pop("ApiKeysAuthorizerPermission")
    assert authorizer["SourceArn"].endswith("/authorizers/*")
    permissions = [authorizer, *found.values()]
    for permission in permissions:
        assert permission["Principal"] == "apigateway.amazonaws.com"
        assert permission["FunctionName"].endswith(":live")
    assert {permission["SourceArn"].partition("/*/")[2] for permission in found.values()} == {
        "POST/gateway/mcp",
        "POST/lab/mcp",
        "POST/remote/mcp",
    }


def test_a_function_ends_before_the_api_stops_waiting(template: Template) -> None:
    """Decision 12: a tool that is stopped in time tells the model why; a 504 tells it nothing."""
    for name, function in properties(template, "AWS::Lambda::Function").items():
        # The worker has no route: a queue calls it.
        assert function["Timeout"] + 1 <= INTEGRATION_TIMEOUT_S or name == "DiscoveryWorkerFunction"


def test_each_function_is_set_as_decided(template: Template) -> None:
    """Decision 4; SPEC 6. The worker waits for several servers at once."""
    for name, function in properties(template, "AWS::Lambda::Function").items():
        timeout_s = {"DiscoveryWorkerFunction": 60, "GatewayFunction": 28, "AuthorizerFunction": 10}.get(name, 27)
        assert (function["Runtime"], function["Timeout"], function["MemorySize"]) == ("python3.13", timeout_s, 512)
        assert function["Architectures"] == ["arm64"]
        assert function["SnapStart"] == {"ApplyOn": "PublishedVersions"}
        assert function["LoggingConfig"] == {"LogFormat": "JSON", "LogGroup": "/samcp/samcp-local"}


def test_logs_are_kept_as_long_as_the_parameter_says() -> None:
    """A log group without retention keeps its logs for ever."""
    groups = properties(load_template(TEMPLATE, {"LogRetentionDays": "7"}), "AWS::Logs::LogGroup")
    assert [group["RetentionInDays"] for group in groups.values()] == ["7"]


def test_old_versions_go_with_the_deployment_that_replaces_them(template: Template) -> None:
    """SnapStart bills each published version's snapshot as long as the version exists."""
    policies = {resource["DeletionPolicy"] for _, resource in template.resources("AWS::Lambda::Version")}
    assert policies == {"Delete"}


def test_the_environment_is_what_settings_read(template: Template) -> None:
    """STYLE, handlers: the template sets every name."""
    environment = functions_of(template)["LabFunction"].environment
    assert environment["POWERTOOLS_SERVICE_NAME"] == "lab"
    assert environment["POWERTOOLS_METRICS_NAMESPACE"] == "samcp"
    assert (environment["SAMCP_TRACING"], environment["SAMCP_ALLOWED_ORIGINS"]) == ("PassThrough", "")
    read = {str(field.alias) for field in (AdapterSettings.model_fields | ReceiverSettings.model_fields).values()}
    assert read <= environment.keys()
    assert (environment["SAMCP_ALLOWED_HOSTS"], environment["SAMCP_STATE_SECRET"]) == ("", "")


def test_one_allowed_origin_is_told_to_browsers_and_checked_by_functions() -> None:
    """API Gateway can answer one fixed origin; the adapter refuses the others."""
    template = load_template(TEMPLATE, {"AllowedOrigins": "https://app.example"})
    answer = api_of(template).gateway_responses.answer(GatewayError.UNAUTHORIZED, Scope())
    assert headers(answer)["Access-Control-Allow-Origin"] == "https://app.example"
    assert functions_of(template)["LabFunction"].environment["SAMCP_ALLOWED_ORIGINS"] == "https://app.example"


def test_the_tracing_layer_is_there_only_with_tracing(template: Template) -> None:
    """Decision 7: its botocore weighs 30 MB."""
    traced = load_template(TEMPLATE, {"Tracing": "Active"})
    assert functions_of(template)["LabFunction"].layer_ids == ("McpServerLayer",)
    assert set(functions_of(traced)["LabFunction"].layer_ids) == {"McpServerLayer", "TracingLayer"}
    layers = {name[:-10] for name in properties(template, "AWS::Lambda::LayerVersion")}
    assert layers == {"McpServerLayer", "GovernanceLayer", "GuardedHttpLayer", "McpClientLayer"}


def test_the_architecture_reaches_functions_and_layers() -> None:
    """A layer of the other architecture fails at import."""
    template = load_template(TEMPLATE, {"Architecture": "x86_64", "Tracing": "Active"})
    functions = properties(template, "AWS::Lambda::Function").values()
    layers = properties(template, "AWS::Lambda::LayerVersion").values()
    assert all(function["Architectures"] == ["x86_64"] for function in functions)
    assert all(layer["CompatibleArchitectures"] == ["x86_64"] for layer in layers)


def test_a_release_publishes_a_version_and_without_one_the_code_does() -> None:
    """PLATFORM: a parameter that feeds only an environment variable publishes nothing by itself."""

    def version_of(release: str, memory: str = "512") -> str:
        versions = load_template(TEMPLATE, {"Release": release, "MemorySize": memory}).resources("AWS::Lambda::Version")
        return next(name for name, _ in versions)

    assert version_of("r1") != version_of("r2") != version_of("")
    assert version_of("") == version_of("", "1024")


def test_the_endpoint_is_an_output(template: Template) -> None:
    """What the operator hands to hosts."""
    outputs = template.resolver.resolve(template.body["Outputs"])
    assert outputs["LabEndpoint"]["Value"].endswith("/prod/lab/mcp")
    own = load_template(TEMPLATE, {"PublicUrl": "https://mcp.example.com"})
    assert own.resolver.resolve(own.body["Outputs"])["LabEndpoint"]["Value"] == "https://mcp.example.com/lab/mcp"


def test_dev_and_prod_are_complete_and_dev_is_the_default(template: Template) -> None:
    """The issue: one stack to try, one that others use. SAM ignores an environment that is not there, and asks."""
    config = tomllib.loads((ROOT / "samconfig.toml").read_text("utf-8"))
    assert config.keys() == {"version", "default", "dev", "prod"}
    assert config["default"] == config["dev"]
    for name in ("dev", "prod"):
        deployed = config[name]["deploy"]["parameters"]
        overrides = dict(item.split("=", 1) for item in deployed["parameter_overrides"])
        assert overrides.keys() <= template.body["Parameters"].keys()
        assert overrides["Stage"] == name
        assert f"Architecture={overrides['Architecture']}" in config[name]["build"]["parameters"]["parameter_overrides"]
        assert config[name]["global"]["parameters"]["stack_name"] == f"samcp-{name}"
        assert deployed["capabilities"] == ["CAPABILITY_IAM"]
    named = set(re.findall(r"--config-env (\w+)", (ROOT / "docs" / "operating.md").read_text("utf-8")))
    assert named <= config.keys()
