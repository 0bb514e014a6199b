"""Every case of `corpus/quirks.jsonl`, sent as it is to the fixture gateway behind the local gateway.

Source: HOSTS.md, measured on 30 clients and 5 hosts; each case names its own source.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.quirks.argument_sentences import ARGUMENT_NOTES
from tests.quirks.asked import Asked, Check
from tests.quirks.expectation import mismatches
from tests.quirks.http_sentences import HTTP_NOTES
from tests.quirks.protocol_sentences import PROTOCOL_NOTES
from tests.quirks.replies import AnswerTo, Endpoint
from tests.quirks.schema_sentences import SCHEMAS

type Case = dict[str, Any]

CORPUS = Path(__file__).parents[1] / "corpus" / "quirks.jsonl"
CASES: list[Case] = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines() if line]
SENTENCES = [case for case in CASES if case["should"].keys() & {"schema", "note"}]
CHECKS: Mapping[str, Mapping[str, Check]] = {
    "schema": SCHEMAS,
    "note": {**HTTP_NOTES, **PROTOCOL_NOTES, **ARGUMENT_NOTES},
}
"""The checks of each kind of sentence, by the case's id."""


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_each_case_of_the_corpus_gets_its_answer(case: Case, answer_to: AnswerTo) -> None:
    """HOSTS.md: `should` is the answer."""
    assert mismatches(case["should"], answer_to(case)) == []


@pytest.mark.parametrize("case", SENTENCES, ids=[case["id"] for case in SENTENCES])
def test_each_sentence_of_the_corpus_holds(case: Case, answer_to: AnswerTo, gateway: Endpoint) -> None:
    """HOSTS.md: `schema` and `note` are made executable by the case's id; one that has no check fails here."""
    checks = [CHECKS[member][case["id"]] for member in CHECKS if member in case["should"]]
    for check in checks:
        check(Asked(case, answer_to(case), gateway))


def test_every_check_belongs_to_a_sentence() -> None:
    """A check that no case names is dead."""
    for member, checks in CHECKS.items():
        assert checks.keys() == {case["id"] for case in CASES if member in case["should"]}
