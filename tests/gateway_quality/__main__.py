"""Print what `smart_context_gate` keeps beside cutting the tail off, and how well `smart_dedup` finds the groups."""

import sys
from collections.abc import Sequence

from tests.gateway_quality.found_duplicates import f1, found_pairs, pairs_of, texts_of
from tests.gateway_quality.kept_facts import HALVES, Sample, by_cutting, by_gate, kept, samples, share_kept

FOUND = samples()


def main(*, verbose: bool) -> None:
    """Print a Markdown table; *verbose*: the lost facts too."""
    print("| kind | facts | kept by the gate | kept by cutting |\n|---|---:|---:|---:|")
    for kind in dict.fromkeys(sample.kind for sample in FOUND):
        row(kind, [sample for sample in FOUND if sample.kind == kind])
    for title, half in HALVES.items():
        row(f"**{title}**", [sample for sample in FOUND if sample.half == half])
    row("**all**", FOUND)
    row("with a purpose", [sample for sample in FOUND if sample.purpose])
    row("without", [sample for sample in FOUND if not sample.purpose])
    row("facts first", [sample for sample in FOUND if sample.name.startswith("front-")])
    for title, half in HALVES.items():
        texts, groups = texts_of(half)
        print(f"\nsmart_dedup, {title}: F1 {f1(found_pairs(texts), pairs_of(groups)):.2f} on {len(texts)} texts")
    if verbose:
        for sample in FOUND:
            if sample.half == "a":  # the held-out half is measured, not looked at
                lost = [fact for fact, is_kept in zip(sample.facts, kept(sample, by_gate), strict=True) if not is_kept]
                print(sample.name, lost)


def row(title: str, chosen: Sequence[Sample]) -> None:
    """Print one row."""
    facts = sum(len(sample.facts) for sample in chosen)
    print(f"| {title} | {facts} | {share_kept(chosen, by_gate):.0%} | {share_kept(chosen, by_cutting):.0%} |")


if __name__ == "__main__":
    main(verbose="-v" in sys.argv)
