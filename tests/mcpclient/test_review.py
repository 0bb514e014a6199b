"""What is callable, after any sequence of offers and approvals."""

import json

from hypothesis import given
from hypothesis import strategies as st
from mcpclient.fingerprint import fingerprint, tool_fingerprint
from mcpclient.review import Approval, Offer, Quarantine, approve, callable_tools, review

URL = "https://mcp.example.com/mcp"
OFFERS = st.dictionaries(st.sampled_from("abc"), st.sampled_from(["one", "two"]))


def offer_of(described: dict[str, str]) -> Offer:
    """Return the offer of a server whose tools have these descriptions."""
    return Offer.of("", [{"name": name, "description": text} for name, text in described.items()])


@given(st.lists(st.one_of(OFFERS, st.none()), max_size=8))
def test_only_what_was_approved_and_never_changed_since_is_callable(story: list[dict[str, str] | None]) -> None:
    """The rule, in its simplest form, beside the code's. None in the story is an approval."""
    approval: Approval | None = None
    quarantine = Quarantine()
    offer = offer_of({})
    expected: dict[str, str] = {}
    now: dict[str, str] = {}
    for step in story:
        if step is None:
            approval = approve(offer, approval, quarantine, url=URL)
            expected = dict(now)
        else:
            now, offer = step, offer_of(step)
            quarantine = review(offer, approval, quarantine)
            expected = {name: text for name, text in expected.items() if now.get(name) == text}
    assert callable_tools(offer, approval, quarantine) == expected.keys()


def test_a_tool_that_was_left_out_of_an_approval_is_not_callable() -> None:
    """`--tool a` says nothing of the changed `b`: it stays out, also after the next discovery."""
    first = offer_of({"a": "one", "b": "one"})
    held = approve(first, None, Quarantine(), url=URL)
    second = offer_of({"a": "two", "b": "two"})
    quarantine = review(second, held, Quarantine())
    partial = approve(second, held, quarantine, url=URL, only=["a"])
    assert callable_tools(second, partial, review(second, partial, quarantine)) == {"a"}


def test_a_fingerprint_depends_on_content_only() -> None:
    """Not on the order of members, nor on `_meta`; on everything else."""
    tool = {"name": "a", "inputSchema": {"type": "object", "x": 1}, "annotations": {"readOnlyHint": True}}
    turned = json.loads(json.dumps(dict(reversed(tool.items()))))
    assert tool_fingerprint(turned) == tool_fingerprint({**tool, "_meta": {"trace": "1"}}) == tool_fingerprint(tool)
    assert tool_fingerprint({**tool, "annotations": {"readOnlyHint": False}}) != tool_fingerprint(tool)
    assert fingerprint("a\u0301") != fingerprint("\u00e1")


def test_what_came_and_went_unapproved_is_forgotten() -> None:
    """A server with a new name each hour would fill the one item that holds the quarantine."""
    approval = approve(offer_of({"a": "one"}), None, Quarantine(), url=URL)
    quarantine = Quarantine()
    for hour in range(3):
        quarantine = review(offer_of({"a": "one", f"t{hour}": "one"}), approval, quarantine)
    assert quarantine.changes == {"t2": "added"}
