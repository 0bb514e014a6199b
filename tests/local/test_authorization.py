"""Lambda authorizers. Source: API Gateway Developer Guide, "Use API Gateway Lambda authorizers"."""

import pytest

from tests.local.served import Server, serving


def test_the_authorizers_context_reaches_the_function_as_text(server: Server) -> None:
    """Output from a Lambda authorizer: context values are strings."""
    event = server.post("/guarded", {}, {"X-Key": "allow"}).json()["event"]
    found = event["requestContext"]["authorizer"]
    assert (found["principalId"], found["team"], found["vip"]) == ("ann", "blue", "true")


def test_a_policy_may_be_a_list_with_wildcards(server: Server) -> None:
    """IAM policy grammar: one statement or several, one action or several."""
    assert server.post("/guarded", {}, {"X-Key": "list"}).status == 200
    assert server.post("/live/guarded", {}, {"X-Key": "list"}).status == 200


def test_a_denied_caller_gets_the_403_with_the_reason(server: Server) -> None:
    """ACCESS_DENIED can tell what the authorizer put in its context."""
    answer = server.post("/guarded", {}, {"X-Key": "deny"})
    assert (answer.status, answer.json()) == (403, {"why": "not today", "type": "ACCESS_DENIED"})


def test_a_policy_for_another_path_is_403(server: Server) -> None:
    """No statement that matches is a denial."""
    assert server.post("/guarded", {}, {"X-Key": "elsewhere"}).status == 403


def test_an_unauthorized_caller_gets_the_real_challenge(server: Server) -> None:
    """Raising "Unauthorized" is UNAUTHORIZED; the header keeps its name in a gateway response."""
    answer = server.post("/guarded", {}, {"Origin": "https://a.example"})
    assert (answer.status, answer.json()) == (401, {"who": "UNAUTHORIZED"})
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="here"'
    assert answer.headers["X-From"] == "https://a.example"


def test_a_refusal_is_one_line_of_the_log_and_a_mistake_has_its_traceback(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """Raising "Unauthorized" is how an authorizer answers: nothing has gone wrong."""
    with caplog.at_level("INFO", "local"):
        assert server.post("/guarded", {}).status == 401
        assert [(" 401 " in record.getMessage(), record.exc_info) for record in caplog.records] == [(True, None)]
        caplog.clear()
        assert server.post("/guarded", {}, {"X-Key": "crash"}).status == 500
    assert any(record.exc_info for record in caplog.records)


def test_a_missing_identity_source_is_401_without_asking(server: Server) -> None:
    """Identity sources are required once they are named: the function would have raised otherwise."""
    assert server.post("/keyed", {}).status == 401
    assert server.post("/token", {}).status == 401
    assert server.post("/keyed", {}, {"X-Key": "allow"}).status == 200


def test_a_token_authorizer_is_given_the_header(server: Server) -> None:
    """TOKEN payload: authorizationToken and methodArn."""
    assert server.post("/token", {}, {"Authorization": "allow"}).status == 200
    assert server.post("/token", {}, {"Authorization": "deny"}).status == 403


def test_an_authorizer_that_does_not_answer_is_500() -> None:
    """AUTHORIZER_FAILURE."""
    with serving(integration_timeout_s=0.1) as impatient:
        assert impatient.post("/guarded", {}, {"X-Key": "wait"}).status == 500


@pytest.mark.parametrize("key", ["crash", "nonsense", "nested"])
def test_an_authorizer_that_fails_is_500(server: Server, key: str) -> None:
    """AUTHORIZER_FAILURE and AUTHORIZER_CONFIGURATION_ERROR inherit DEFAULT_5XX; `isAuthorized` is HTTP APIs' form."""
    answer = server.post("/guarded", {}, {"X-Key": key})
    assert (answer.status, answer.json()) == (500, {"default": 5})


def test_a_failed_authorizer_leaves_a_line_that_says_why(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """A refusal is no failure, and leaves none."""
    server.post("/guarded", {}, {"X-Key": "crash"})
    server.post("/guarded", {})
    lines = [record.getMessage() for record in caplog.records if " failed: " in record.getMessage()]
    assert lines == ["GuardFunction failed: FunctionError: RuntimeError"]
