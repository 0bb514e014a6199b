"""What AWS would be given for the gateway: who may do what to which table, and who is let in."""

from pathlib import Path

import pytest

from local.api import Api, api_of
from local.gateway_responses import GatewayError
from local.mapping import Scope
from local.template import Template, load_template
from tests.test_template import TEMPLATE
from tests.test_template_outbound import statements_of

ROOT = Path(__file__).parent.parent

STATE = ("KeysTable", "CountersTable", "AuditTable", "MemoryTable")


@pytest.fixture(scope="module")
def template() -> Template:
    """The template with its defaults."""
    return load_template(TEMPLATE)


@pytest.fixture(scope="module")
def api(template: Template) -> Api:
    """Its REST API."""
    return api_of(template)


def actions_on(template: Template, role: str, table: str) -> set[str]:
    """Return what *role* may do to *table*."""
    found = [statement for statement in statements_of(template, role) if statement["Resource"].endswith(f"/{table}")]
    return {action.removeprefix("dynamodb:") for statement in found for action in statement["Action"]}


def test_the_authorizer_reads_keys_and_nothing_else(template: Template) -> None:
    """SPEC 5: least privilege. It could not make itself a key."""
    assert actions_on(template, "AuthorizerFunctionRole", "KeysTable") == {"GetItem", "BatchGetItem"}
    assert len(statements_of(template, "AuthorizerFunctionRole")) == 1


def test_the_gateway_adds_to_its_audit_and_cannot_read_or_change_it(template: Template) -> None:
    """GATEWAY.md: exactly one row a call. Keys are not its business at all."""
    role = "GatewayFunctionRole"
    assert actions_on(template, role, "AuditTable") == {"PutItem"}
    assert actions_on(template, role, "CountersTable") == {"UpdateItem"}
    assert actions_on(template, role, "KeysTable") == set()


def test_state_is_kept_and_can_be_restored(template: Template) -> None:
    """SPEC 5: on demand, TTL, point-in-time recovery; a deleted stack keeps its keys and its audit."""
    for name in STATE:
        table = template.resolver.resolve(template.body["Resources"][name])
        said = table["Properties"]
        assert table["DeletionPolicy"] == table["UpdateReplacePolicy"] == "Retain"
        assert said["BillingMode"] == "PAY_PER_REQUEST"
        assert said["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert said["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
        assert said["SSESpecification"] == {"SSEEnabled": True}


def test_only_the_keyed_servers_ask_the_authorizer_and_only_for_a_post(api: Api) -> None:
    """HOSTS rule 7: a 405 comes before authentication; a preflight carries no key."""
    asked = {(route.method, route.path) for route in api.routes.all if route.authorizer}
    assert asked == {("POST", "/gateway/mcp"), ("POST", "/remote/mcp")}
    # API Gateway asks nobody where an identity source is missing, and either of two headers may carry the key.
    assert api.authorizers["Keys"].required_headers == ()


def test_api_gateway_writes_no_request_down(template: Template) -> None:
    """Its execution log with data trace has every header: X-API-Key stands there as it was sent."""
    (stage,) = [found for _, found in template.resources("AWS::ApiGateway::Stage")]
    for setting in stage["Properties"]["MethodSettings"]:
        assert not {"DataTraceEnabled", "LoggingLevel"} & setting.keys()
    assert "AccessLogSetting" not in stage["Properties"]


@pytest.mark.parametrize(
    ("error", "challenge"),
    [
        (GatewayError.UNAUTHORIZED, 'Bearer realm="samcp"'),
        (GatewayError.ACCESS_DENIED, 'Bearer realm="samcp", error="insufficient_scope"'),
    ],
)
def test_a_refusal_says_how_to_come_in(api: Api, error: GatewayError, challenge: str) -> None:
    """RFC 6750, section 3; HOSTS rule 9: browsers may read it."""
    headers = dict(api.gateway_responses.answer(error, Scope()).headers)
    assert headers["WWW-Authenticate"] == challenge
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "WWW-Authenticate" in headers["Access-Control-Expose-Headers"]
