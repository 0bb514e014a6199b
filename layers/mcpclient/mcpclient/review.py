"""What has changed at a server since an operator approved it: pure functions, no table.

Nothing may be called before it was approved, as it was approved. A tool that changed, came or went is quarantined, and
stays so if it changes back: only an approval ends it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mcpclient.fingerprint import fingerprint, tool_fingerprint
from mcpclient.hidden_text import hidden_kinds_within

INSTRUCTIONS: Final = "(instructions)"
"""Stands where a tool's name would, for the server's instructions; no tool can be called so."""

ADDED: Final = "added"
CHANGED: Final = "changed"
REMOVED: Final = "removed"


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server offers now, as fingerprints."""

    instructions: str
    tools: Mapping[str, str]
    """Name -> fingerprint."""
    flags: Mapping[str, tuple[str, ...]]
    """Name, or `INSTRUCTIONS` -> the kinds of hidden text in it."""

    @classmethod
    def of(cls, instructions: str, tools: Iterable[Mapping[str, Any]]) -> "Offer":
        """Return the offer of a server that describes itself so."""
        listed = list(tools)
        texts: dict[str, Any] = {INSTRUCTIONS: instructions, **{tool["name"]: tool for tool in listed}}
        kinds = {name: tuple(hidden_kinds_within(text)) for name, text in texts.items()}
        return cls(
            instructions=fingerprint(instructions),
            tools={tool["name"]: tool_fingerprint(tool) for tool in listed},
            flags={name: found for name, found in kinds.items() if found},
        )


@dataclass(frozen=True, slots=True)
class Approval:
    """What an operator has approved: the pins."""

    url: str
    """Of the connection; another one voids the approval."""
    revision: int
    """Grows with each approval: a quarantine belongs to the one that it was found against."""
    instructions: str
    tools: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Quarantine:
    """What has changed since the approval *revision*: name -> `added`, `changed` or `removed`."""

    revision: int = 0
    changes: Mapping[str, str] = field(default_factory=dict)

    def against(self, approval: Approval | None) -> Mapping[str, str]:
        """Return the changes that *approval* has not settled."""
        return self.changes if approval is not None and approval.revision == self.revision else {}


def review(offer: Offer, approval: Approval | None, quarantine: Quarantine) -> Quarantine:
    """Return the quarantine after *offer* was seen. Without an approval there is none: nothing is callable anyway."""
    if approval is None:
        return Quarantine()
    # What came and went unapproved is forgotten: a server could fill the table with it.
    known = {INSTRUCTIONS, *offer.tools, *approval.tools}
    changes = {name: change for name, change in quarantine.against(approval).items() if name in known}
    if offer.instructions != approval.instructions:
        changes[INSTRUCTIONS] = CHANGED
    for name, pin in offer.tools.items():
        if name not in approval.tools:
            changes[name] = ADDED
        elif approval.tools[name] != pin:
            changes[name] = CHANGED
    changes |= {name: REMOVED for name in approval.tools if name not in offer.tools}
    return Quarantine(approval.revision, changes)


def approve(  # noqa: PLR0913 -- what was seen, and what the operator says to it
    offer: Offer,
    approval: Approval | None,
    quarantine: Quarantine,
    *,
    url: str,
    only: Iterable[str] = (),
    with_flagged: bool = False,
) -> Approval:
    """Return the approval of what *offer* holds.

    Args:
        offer: what the operator was shown.
        approval: the one so far, if it was of the same URL.
        quarantine: what has changed since.
        url: the connection's.
        only: names of tools; empty: all of them. What is in quarantine and not among them loses its pin.
        with_flagged: also what holds hidden text.
    """
    chosen = set(only) or set(offer.tools)
    if not with_flagged:
        chosen -= offer.flags.keys()
    held = approval.tools if approval is not None else {}
    settled = quarantine.against(approval)
    kept = {name: pin for name, pin in held.items() if name in offer.tools and name not in settled}
    return Approval(
        url=url,
        revision=(approval.revision if approval else 0) + 1,
        instructions=offer.instructions,
        tools=kept | {name: offer.tools[name] for name in chosen if name in offer.tools},
    )


def callable_tools(offer: Offer, approval: Approval | None, quarantine: Quarantine) -> frozenset[str]:
    """Return the names of the tools that are as they were approved and not in quarantine."""
    if approval is None:
        return frozenset()
    held = quarantine.against(approval)
    return frozenset(name for name, pin in offer.tools.items() if approval.tools.get(name) == pin and name not in held)
