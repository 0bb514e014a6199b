"""Keys that open nothing, of every kind that an attacker would try: near misses of a real one, and noise."""

import random
import string
from collections.abc import Callable, Iterator, Mapping

from governance.keys import NewKey

type Headers = dict[str, list[str]]

CHARACTERS = string.ascii_letters + string.digits
BEYOND_ASCII = [*range(0x80, 0x3000), *range(0xD800, 0xE000)]
"""Lone surrogates too: a JSON event can hold them."""


def hostile(real: NewKey, disabled: NewKey, count: int) -> Iterator[tuple[str, Headers]]:
    """Yield the kind and the headers of *count* attempts: the same ones at each run."""
    dice = random.Random(5)  # noqa: S311 -- repeatable, not secret
    kinds = [*_kinds(dice, real.key, disabled.key).items()]
    for number in range(count):
        kind, make = kinds[number % len(kinds)]
        made = make()
        yield kind, made if isinstance(made, dict) else _in_a_header(dice, made)


def _kinds(dice: random.Random, real: str, disabled: str) -> Mapping[str, Callable[[], str | Headers]]:
    """Return how each kind is made."""
    secret = real.rpartition("_")[2]

    def text(alphabet: str, length: int) -> str:
        return "".join(dice.choices(alphabet, k=length))

    def one_changed() -> str:
        at = dice.randrange(len("samcp_"), len(real))
        return real[:at] + dice.choice([found for found in CHARACTERS + "-_ é" if found != real[at]]) + real[at + 1 :]

    return {
        "unknown": lambda: f"samcp_{text(string.ascii_lowercase + string.digits, 12)}_{text(CHARACTERS, 43)}",
        "another secret of a real id": lambda: real.removesuffix(secret) + text(CHARACTERS, 43),
        "another id for a real secret": lambda: f"samcp_{text(string.ascii_lowercase + string.digits, 12)}_{secret}",
        "one character changed": one_changed,
        "cut": lambda: real[: dice.randrange(len(real))],
        "too long": lambda: real + text(CHARACTERS, dice.randrange(1, 80)),
        "disabled": lambda: disabled,
        "noise": lambda: text(string.printable, dice.randrange(120)),
        "unicode": lambda: "".join(map(chr, dice.choices(BEYOND_ASCII, k=70))),
        "full width": lambda: "".join(chr(ord(found) + 0xFEE0) for found in real),
        "100 kB": lambda: real + "x" * 100_000,
        "a header injected": lambda: f"x\r\nX-API-Key: {real}",
        "a zero byte": lambda: f"{real}\0",
        "quoted": lambda: f'"{real}"',
        "the word twice": lambda: {"Authorization": [f"Bearer Bearer {real}"]},
        "another scheme": lambda: {"Authorization": [f"{dice.choice(['Basic', 'Digest', 'samcp', ''])} {real}"]},
        "no scheme": lambda: {"Authorization": [real]},
        "two in a list": lambda: {"Authorization": [f"Bearer {real}, Bearer {real}"]},
        "a second header": lambda: {"X-API-Key": [real, disabled]},
        "a different one in each": lambda: {"Authorization": [f"Bearer {real}"], "X-API-Key": [disabled]},
        "another header": lambda: {
            dice.choice(["Cookie", "Proxy-Authorization", "X-Authorization"]): [f"Bearer {real}"]
        },
        "nothing": dict,
    }


def _in_a_header(dice: random.Random, key: str) -> Headers:
    return {"X-API-Key": [key]} if dice.random() < 0.5 else {"Authorization": [f"Bearer {key}"]}
