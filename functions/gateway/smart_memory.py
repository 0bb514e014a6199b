"""The `smart_memory` tool: a team's notes, kept between conversations and found again."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from functions.gateway.bm25 import Ranking
from functions.gateway.memory_table import MemoryFullError, MemoryTable, Note
from functions.gateway.smart_tool import SmartTool, Spent
from functions.gateway.tokens import MAX_RESULT_CHARACTERS, MAX_RESULT_TOKENS, cap_tokens, count_tokens, spent_of
from governance.audit import time_text
from governance.errors import StoreError
from mcpserver import MCPServerToolError

MAX_CHARACTERS: Final = 16_000
"""Of one note."""

_FRAME_TOKENS: Final = 60
"""What a note costs beside its text."""

_MIN_EXCERPT: Final = 50
"""Tokens: a shorter beginning of a note says nothing."""


class MemoryArguments(BaseModel):
    """What `smart_memory` takes."""

    action: Literal["add", "search", "list", "delete"] = Field(
        description="add: keep text. search: find notes that share a word with query. list: the newest. delete: forget "
        "the note with id."
    )
    text: str | None = Field(None, max_length=MAX_CHARACTERS, description="What to remember; add only.")
    query: str | None = Field(None, max_length=2000, description="What to recall; search only.")
    id: str | None = Field(None, max_length=64, description="The note to forget; delete only.")
    limit: int = Field(5, ge=1, le=50, description="How many notes to return.")


class Memory(BaseModel):
    """One note."""

    id: str
    text: str
    created_at: str = Field(description="UTC.")
    score: float | None = Field(None, description="How well it answers the query; search only.")


class Memories(Spent):
    """What `smart_memory` returns."""

    action: str
    id: str | None = Field(None, description="The note that was added or deleted.")
    memories: list[Memory] | None = None
    deleted: bool | None = Field(None, description="Whether there was such a note; delete only.")
    total: int | None = Field(None, description="How many notes the team has.")
    truncated: bool | None = Field(None, description="Whether notes were left out or cut, to keep the answer short.")
    hint: str | None = Field(None, description="What to try where nothing was found.")


class SmartMemory(SmartTool[MemoryArguments]):
    """One team's notes: no other team sees them."""

    name = "smart_memory"
    description = (
        "Purpose: remember facts, decisions and preferences between conversations. "
        "When to use: add what will be needed later; search before you ask the user again. "
        "When not: never for secrets or personal data that nobody asked you to keep. Search compares words, not "
        "meaning (number, tense and case do not matter): ask with words that the note has. "
        "Returns: the note's id, or the notes found. Composes with: smart_context_gate (shorten before you add), "
        "smart_pipe (template remember)."
    )
    arguments_model = MemoryArguments

    def __init__(self, table: MemoryTable, *, now_s: Callable[[], float]) -> None:
        self._table = table
        self._now_s = now_s

    def token_bound(self, arguments: Mapping[str, Any]) -> int:
        """Only what finds notes returns any text."""
        return 0 if arguments.get("action") in ("add", "delete") else MAX_RESULT_TOKENS

    def run(self, arguments: MemoryArguments) -> Memories:
        """Do what the action says.

        Raises:
            MCPServerToolError: something is missing, or the store could not be used.
        """
        do = {"add": self._add, "search": self._search, "list": self._list, "delete": self._delete}
        try:
            return do[arguments.action](arguments)
        except StoreError:
            raise MCPServerToolError("the memory could not be reached: try again in a second.") from None

    def _add(self, arguments: MemoryArguments) -> Memories:
        text = (arguments.text or "").strip()
        if not text:
            raise MCPServerToolError("add needs text, what to remember.")
        try:
            note_id = self._table.add(self.team, text, tokens=count_tokens(text), created_at=time_text(self._now_s()))
        except MemoryFullError:
            raise MCPServerToolError(
                f"the team has {self._table.max_notes} notes, the most there can be: delete some."
            ) from None
        return Memories(**spent_of(0, 0), action="add", id=note_id)

    def _delete(self, arguments: MemoryArguments) -> Memories:
        if not arguments.id:
            raise MCPServerToolError("delete needs id, as add or search returned it.")
        is_gone = self._table.delete(self.team, arguments.id)
        return Memories(**spent_of(0, 0), action="delete", id=arguments.id, deleted=is_gone)

    def _list(self, arguments: MemoryArguments) -> Memories:
        notes = self._table.all(self.team)
        return _answer("list", notes, [(note, None) for note in notes[: arguments.limit]])

    def _search(self, arguments: MemoryArguments) -> Memories:
        if not (arguments.query or "").strip():
            raise MCPServerToolError("search needs query, what to recall.")
        notes = self._table.all(self.team)
        ranked = Ranking([note.text for note in notes]).rank(arguments.query or "")[: arguments.limit]
        found = _answer("search", notes, [(notes[index], round(score, 4)) for index, score in ranked])
        if notes and not ranked:
            found.hint = "No note has any of these words: try others, or list."
        return found


def _answer(action: str, notes: list[Note], found: list[tuple[Note, float | None]]) -> Memories:
    """Return as many of *found* as one result may hold."""
    memories: list[Memory] = []
    left, characters, is_cut = MAX_RESULT_TOKENS, MAX_RESULT_CHARACTERS, False
    for note, score in found:
        if min(left - _FRAME_TOKENS, characters) < _MIN_EXCERPT:
            is_cut = True
            break
        memory = Memory(id=note.note_id, text=note.text, created_at=note.created_at, score=score)
        cost = _fit(memory, left, characters)
        memories.append(memory)
        left, characters = left - cost, characters - len(memory.text)
        is_cut = is_cut or memory.text != note.text
    used = spent_of(sum(note.tokens for note in notes), MAX_RESULT_TOKENS - left)
    return Memories(**used, action=action, memories=memories, total=len(notes), truncated=is_cut or None)


def _fit(memory: Memory, tokens: int, characters: int) -> int:
    """Cut the text of *memory* until the note, as JSON, costs *tokens* at most, and return what it costs."""
    text, room = memory.text[:characters], tokens - _FRAME_TOKENS
    while True:
        # From the whole each time: a cut text says how long the whole was.
        memory.text, _ = cap_tokens(text, room)
        cost = count_tokens(memory.model_dump_json(exclude_none=True))
        if cost <= tokens:
            return cost
        # Line breaks and quotes cost more as JSON than alone.
        room = room * tokens // (cost + 1)
