"""Every case of `corpus/quirks.jsonl`, sent as it is to the project's own gateway, as `make run` serves it.

Issue: 100 % against the real gateway, path and keys substituted. `tests/quirks` sends them to a fixture.
"""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from tests.quirks.asked import Asked
from tests.quirks.expectation import mismatches
from tests.quirks.replies import AnswerTo, Endpoint, Reply
from tests.quirks.test_corpus import CASES, CHECKS, SENTENCES, Case

OF_THE_FIXTURE: Mapping[str, str] = {
    "B10": "asks for another team than the key's, which is refused here",
    "B15": "wants a text of one token kept at half its length",
    "C20": "asks a handler without a list in this process",
    "C21": "wants another Host refused: a server with keys takes any",
    "E11": "reads a page of the internet",
    "E16": "wants the layer's own cut: the tools cut before it, and say so in the structure",
    "E18": "sets the fixture's counter back",
    "F05": "reads the log of a handler in this process",
}
"""Sentences whose check is about the fixture, and why; what they are about here has a test of its own below.

F05's is `tests/governance/test_governed.py`: what a host says in `_meta` is in no row and no log.
"""

HERE = [case for case in SENTENCES if case["id"] not in OF_THE_FIXTURE]


@pytest.fixture(scope="module")
def answer_to(endpoint: Endpoint) -> AnswerTo:
    """Return what gives the answer to a case: each is sent once, and its sentences read the same answer."""
    replies: dict[str, Reply] = {}

    def answer(case: Mapping[str, Any]) -> Reply:
        if case["id"] not in replies:
            replies[case["id"]] = _sent(endpoint, case)
        return replies[case["id"]]

    return answer


def _sent(endpoint: Endpoint, case: Mapping[str, Any]) -> Reply:
    """Send a case; once more where its repetitions fell into two minutes, since then they all fall into one."""
    reply = endpoint.send(case["sends"])
    return endpoint.send(case["sends"]) if "repeat" in case["sends"] and reply.status == 200 else reply


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_each_case_of_the_corpus_gets_its_answer(case: Case, answer_to: AnswerTo) -> None:
    """HOSTS.md: `should` is the answer."""
    assert mismatches(case["should"], answer_to(case)) == []


@pytest.mark.parametrize("case", HERE, ids=[case["id"] for case in HERE])
def test_each_sentence_of_the_corpus_holds(case: Case, answer_to: AnswerTo, endpoint: Endpoint) -> None:
    """HOSTS.md: `schema` and `note` are made executable by the case's id."""
    for member, checks in CHECKS.items():
        if member in case["should"]:
            checks[case["id"]](Asked(case, answer_to(case), endpoint))


def test_a_rate_refusal_is_complete(answer_to: AnswerTo) -> None:
    """E18; GATEWAY.md: data {wall, limit, window_s, retry_after}, and the request's id."""
    case = next(case for case in CASES if case["id"] == "E18")
    reply = answer_to(case)
    data = reply.json()["error"]["data"]
    assert (data["wall"], data["limit"], data["window_s"]) == ("key_calls_per_minute", 120, 60)
    assert data["retry_after"] == int(reply.headers["retry-after"]) <= 60


def test_a_lone_surrogate_becomes_a_replacement_character(endpoint: Endpoint) -> None:
    """B15; HOSTS rule 14."""
    result = endpoint.call("smart_dedup", {"texts": ["half an emoji \ud83d"]})
    assert result["structuredContent"]["texts"] == ["half an emoji \ufffd"]


def test_a_long_result_is_cut_and_says_so(endpoint: Endpoint) -> None:
    """E16; HOSTS rule 14: in the structure and in the text, which stay the same JSON."""
    result = endpoint.call("smart_dedup", {"texts": [f"{number} {'lorem ipsum ' * 20000}" for number in range(2)]})
    assert result["structuredContent"]["truncated"] is True
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_another_team_s_budget_is_not_told(endpoint: Endpoint) -> None:
    """B10: "null" is nobody's team; a team's name is one."""
    assert endpoint.call("smart_budget_guard", {"action": "check", "team_id": "nulls"})["isError"]
    assert not endpoint.call("smart_budget_guard", {"action": "check", "team_id": "null"})["isError"]


def test_an_origin_is_asked_for_only_where_one_is_named(endpoint: Endpoint) -> None:
    """C20; the served gateway knows the pages of this machine. A request without an Origin is no browser's."""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert endpoint.post(ping).status == 200
    assert endpoint.post(ping, origin="http://localhost:6274").status == 200
    refused = endpoint.post(ping, origin="https://evil.example")
    assert (refused.status, refused.json()["error"]["code"]) == (403, -32600)


def test_any_host_reaches_the_gateway_and_none_opens_it(endpoint: Endpoint) -> None:
    """C21; behind a proxy it has the proxy's name. A page that has a name rebound to this machine has no key."""
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    assert endpoint.post(ping, host="gateway.internal:8443").status == 200
    assert endpoint.post(ping, host="gateway.internal:8443", authorization=None).status == 401


def test_what_every_offline_tool_returns_fits_its_schema(endpoint: Endpoint) -> None:
    """E11; HOSTS rule 3: structured content and text are complete, and the same."""
    calls: Mapping[str, dict[str, Any]] = {
        "smart_search": {"query": "how is a request checked"},
        "smart_context_gate": {"text": "One sentence. Another one. A third."},
        "smart_dedup": {"texts": ["a", "a"]},
        "smart_budget_guard": {"action": "count", "text": "a"},
        "smart_memory": {"action": "search", "query": "a"},
        "smart_pipe": {"steps": [{"tool": "search", "params": {"query": "guard"}}]},
    }
    listed = endpoint.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).json()["result"]["tools"]
    schemas = {tool["name"]: tool["outputSchema"] for tool in listed}
    assert schemas.keys() - calls.keys() == {"smart_fetch"}
    for name, arguments in calls.items():
        result = endpoint.call(name, arguments)
        assert not result["isError"], (name, result)
        jsonschema.validate(result["structuredContent"], schemas[name])
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
