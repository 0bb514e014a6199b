"""A folder's Markdown, searched offline: sections ranked by BM25, in memory, made at the first search."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Final
from urllib.parse import quote

from functions.gateway.bm25 import Ranking
from functions.gateway.engines.engine import (
    MAX_SNIPPET_CHARACTERS,
    MAX_TITLE_CHARACTERS,
    EngineAnswer,
    Found,
)
from functions.gateway.plain_text import plain_line
from functions.gateway.terms import terms_of

MAX_FILES: Final = 500
MAX_FILE_CHARACTERS: Final = 500_000

_HEADING: Final = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_SENTENCE: Final = re.compile(r"(?<=[.!?:])\s+|\n\s*\n")


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading of a file."""

    path: str
    title: str
    text: str


class ProjectIndex:
    """The documentation of this project: what `make run` can find without a network."""

    name = "project"

    def __init__(self, folder: Path, *, base_url: str = "") -> None:
        """Make it; nothing is read yet.

        Args:
            folder: its `*.md`, and those under `docs`, are searched.
            base_url: where the folder is on the web, with its last slash; "": results have the file's path.
        """
        self._folder = folder
        self._base_url = base_url

    async def search(self, query: str, limit: int) -> EngineAnswer:
        """Return the best section of each file that has a word of *query*."""
        best: dict[str, Section] = {}
        for index, _score in self._ranking.rank(query):
            best.setdefault(self.sections[index].path, self.sections[index])
        asked = set(terms_of(query))
        found = list(islice(best.values(), limit))
        return EngineAnswer([self._found(section, asked) for section in found], "\n\n".join(s.text for s in found))

    @cached_property
    def sections(self) -> list[Section]:
        """Every section, in the order of the files."""
        files = islice(chain(sorted(self._folder.glob("*.md")), sorted(self._folder.glob("docs/**/*.md"))), MAX_FILES)
        return [section for file in files for section in _sections_of(file, self._folder)]

    @cached_property
    def _ranking(self) -> Ranking:
        # The title counts twice: in the text, and as what the section is about.
        return Ranking([f"{section.title} {section.text}" for section in self.sections])

    def _found(self, section: Section, asked: set[str]) -> Found:
        sentences = [sentence for sentence in _SENTENCE.split(section.text) if sentence.strip()]
        fitting = max(range(len(sentences)), key=lambda i: len(asked & set(terms_of(sentences[i]))), default=0)
        snippet = " ".join(sentences[fitting : fitting + 3])
        return Found(
            plain_line(section.title, MAX_TITLE_CHARACTERS),
            self._base_url + quote(section.path),
            plain_line(snippet, MAX_SNIPPET_CHARACTERS),
        )


def _sections_of(file: Path, folder: Path) -> Iterator[Section]:
    path = file.relative_to(folder).as_posix()
    text = file.read_text("utf-8", errors="replace")[:MAX_FILE_CHARACTERS]
    headings = list(_HEADING.finditer(text))
    starts = [0, *(heading.start() for heading in headings)]
    ends = [*starts[1:], len(text)]
    name = headings[0][1] if headings else path
    for title, start, end in zip([name, *(heading[1] for heading in headings)], starts, ends, strict=True):
        part = text[start:end].strip()
        if part:
            yield Section(path, title if title == name else f"{name}: {title}", part)
