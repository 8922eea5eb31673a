"""Bulk edits as plain values: what one of them does to a case, as changes and as the rows of a preview."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.golden.golden_change import GoldenChange
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.rubric import Rubric


class CompareArgument(Struct, frozen=True):
    """How an argument of a tool is compared, wherever a case expects it. The rule's own place counts for nothing."""

    tool: str
    argument: str
    rule: Matcher


class ForgetRule(Struct, frozen=True):
    """An argument of a tool must be equal again."""

    tool: str
    argument: str


class RenameTool(Struct, frozen=True):
    """Expected calls of a tool name another."""

    tool: str
    name: str


class RenameArgument(Struct, frozen=True):
    """An argument of a tool has another name; its rule goes with it."""

    tool: str
    argument: str
    name: str


class RemoveCalls(Struct, frozen=True):
    """Calls of a tool are no longer expected."""

    tool: str


class AddTag(Struct, frozen=True):
    """A tag for every case that has not got it."""

    tag: str


class RemoveTag(Struct, frozen=True):
    """A tag that no case keeps."""

    tag: str


class ExpectAnswer(Struct, frozen=True):
    """The expected answer of every turn, or of the last one; None expects none."""

    text: str | None
    last_only: bool = False


class AddRubric(Struct, frozen=True):
    """A rubric for every case that has none of the same words."""

    rubric: Rubric


class DeleteCases(Struct, frozen=True):
    """The cases themselves go."""


class Where(enum.Enum):
    """Where texts are searched for and replaced."""

    USER = "user words"
    ANSWERS = "answers"
    ARGUMENTS = "argument values"
    RUBRICS = "rubrics"


class ReplaceText(Struct, frozen=True):
    """Other words for some. `replaced` gives a text as it is afterwards; `title` names the edit for people."""

    where: frozenset[Where]
    replaced: Callable[[str], str]
    title: str


Bulk: TypeAlias = (
    CompareArgument
    | ForgetRule
    | RenameTool
    | RenameArgument
    | RemoveCalls
    | AddTag
    | RemoveTag
    | ExpectAnswer
    | AddRubric
    | DeleteCases
    | ReplaceText
)


class Row(Struct, frozen=True):
    """One thing that would change. `turn` counts from 0, None for what belongs to the whole case."""

    case: str
    case_place: str
    turn: int | None
    what: str
    place: str
    before: str
    after: str


class Effect(Struct, frozen=True):
    """What a bulk edit does to one case: nothing without rows. `left_out` says what it cannot do there, and why."""

    rows: tuple[Row, ...] = ()
    changes: tuple[GoldenChange, ...] = ()
    deletes: bool = False
    left_out: tuple[str, ...] = ()
