"""Limits on the command line of `make key`: what is named changes, what is not stays as it was."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from functions.gateway.tokens import MAX_RESULT_TOKENS
from governance.limits import NO_LIMIT
from governance.policies import MAX_LIMIT, Plan, TeamPolicy
from local.operator_table import OperatorError

MAX_DIGITS: Final = len(str(MAX_LIMIT))


@dataclass(frozen=True, slots=True)
class Change[ModelT: BaseModel]:
    """New limits of a plan or a team."""

    limits: ModelT
    kept: frozenset[str]
    """Names of those that the command has not named and that were there before."""

    def __str__(self) -> str:
        """Return every limit, and which were kept."""
        return ", ".join(self._each())

    def _each(self) -> Iterator[str]:
        for name, value in self.limits.model_dump().items():
            yield f"{_words(name, value)}{' (kept)' if name in self.kept else ''}"


def change_of[ModelT: BaseModel](
    model: type[ModelT], former: ModelT | None, options: argparse.Namespace
) -> Change[ModelT]:
    """Return *former* with the limits that *options* name; None: there is none yet, and what is not named is no limit.

    Raises:
        OperatorError: no limit is named.
    """
    named = {name: getattr(options, name) for name in model.model_fields if getattr(options, name) is not None}
    if not named:
        raise OperatorError(f"Name a limit, as {_option(next(iter(model.model_fields)))} 60; {NO_LIMIT} takes it away.")
    values = {**(former.model_dump() if former else {}), **{name: _number(text) for name, text in named.items()}}
    kept = frozenset(model.model_fields) - named.keys() if former else frozenset[str]()
    return Change(model.model_validate(values), kept)


def limits_text(model: BaseModel) -> str:
    """Return the limits that there are."""
    found = model.model_dump(exclude_none=True)
    return ", ".join(_words(name, value) for name, value in found.items()) or "no limit"


def small_budget_warnings(model: Plan | TeamPolicy) -> Iterator[str]:
    """Yield a sentence where a month's tokens are fewer than one call may set aside."""
    limits = [value for name, value in model.model_dump(exclude_none=True).items() if "tokens" in name]
    if any(value < MAX_RESULT_TOKENS for value in limits):
        yield (
            f"Warning: a call sets aside up to {MAX_RESULT_TOKENS:,} tokens until it ends: with fewer a month no page "
            "is fetched and no pipeline run."
        )


def add_limits(parser: argparse.ArgumentParser, model: type[BaseModel]) -> None:
    """Give *parser* a name and an option for each limit of *model*."""
    parser.add_argument("name")
    for name in model.model_fields:
        help_text = f"a whole number from 0, or {NO_LIMIT}; kept if left out"
        parser.add_argument(_option(name), type=_limit, metavar="N", help=help_text)


def _limit(text: str) -> str:
    if text != NO_LIMIT and not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise argparse.ArgumentTypeError(
            f"a limit is a whole number from 0 of at most {MAX_DIGITS} digits, or {NO_LIMIT}"
        )
    return text


def _number(text: str) -> int | None:
    return None if text == NO_LIMIT else int(text)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _words(name: str, value: int | None) -> str:
    return f"{name.replace('_', ' ')} {'no limit' if value is None else f'{value:,}'}"
