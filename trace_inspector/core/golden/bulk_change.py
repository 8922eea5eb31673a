"""Bulk edits as plain values: what one of them does to a case, as changes and as the rows of a preview."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from trace_inspector.core.golden.golden_change import GoldenChange
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.rubric import Rubric


@dataclass(frozen=True, slots=True)
class CompareArgument:
    """How an argument of a tool is compared, wherever a case expects it. The rule's own place counts for nothing."""

    tool: str
    argument: str
    rule: Matcher


@dataclass(frozen=True, slots=True)
class ForgetRule:
    """An argument of a tool must be equal again."""

    tool: str
    argument: str


@dataclass(frozen=True, slots=True)
class RenameTool:
    """Expected calls of a tool name another."""

    tool: str
    name: str


@dataclass(frozen=True, slots=True)
class RenameArgument:
    """An argument of a tool has another name; its rule goes with it."""

    tool: str
    argument: str
    name: str


@dataclass(frozen=True, slots=True)
class RemoveCalls:
    """Calls of a tool are no longer expected."""

    tool: str


@dataclass(frozen=True, slots=True)
class AddTag:
    """A tag for every case that has not got it."""

    tag: str


@dataclass(frozen=True, slots=True)
class RemoveTag:
    """A tag that no case keeps."""

    tag: str


@dataclass(frozen=True, slots=True)
class ExpectAnswer:
    """The expected answer of every turn, or of the last one; None expects none."""

    text: str | None
    last_only: bool = False


@dataclass(frozen=True, slots=True)
class AddRubric:
    """A rubric for every case that has none of the same words."""

    rubric: Rubric


@dataclass(frozen=True, slots=True)
class DeleteCases:
    """The cases themselves go."""


class Where(enum.Enum):
    """Where texts are searched for and replaced."""

    USER = "user words"
    ANSWERS = "answers"
    ARGUMENTS = "argument values"
    RUBRICS = "rubrics"


@dataclass(frozen=True, slots=True)
class ReplaceText:
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


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that would change. `turn` counts from 0, None for what belongs to the whole case."""

    case: str
    case_place: str
    turn: int | None
    what: str
    place: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What a bulk edit does to one case: nothing without rows. `left_out` says what it cannot do there, and why."""

    rows: tuple[Row, ...] = ()
    changes: tuple[GoldenChange, ...] = ()
    deletes: bool = False
    left_out: tuple[str, ...] = ()
