"""The three strategies by name: what is fuzzed, and the invariants that each example is checked with."""

from collections.abc import Mapping
from typing import Any, Final

from hypothesis import strategies as st

from tests.fuzz import events
from tests.fuzz.servers import HANDLERS

type Example = tuple[str, Any]
"""A server's name, and the event that it is sent."""

STRATEGIES: Final[Mapping[str, st.SearchStrategy[Example]]] = {
    name: st.tuples(st.sampled_from(sorted(HANDLERS)), strategy)
    for name, strategy in {
        "bodies": events.with_body(),
        "headers": events.with_headers(),
        "events": events.mangled(),
    }.items()
}
