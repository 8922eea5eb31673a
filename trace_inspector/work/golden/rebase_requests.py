"""Requests to the golden child about a rebase: its rows, what decisions would do, and the rebase itself."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.engine.rebasing.rule import Decided, Rule


class ProposeRebase(Struct, frozen=True):
    """Gather the differences between two runs, given by their paths, for the goldens of these files."""

    files: tuple[int, ...]
    base: str
    new: str


class RebaseLine(Struct, frozen=True):
    """A row: what it says, its rule, its cases, those in conflict with the reason, and the rows below it.

    `matcher` is the rule that loosening proposes; None where nothing can be loosened. `varying` are the cases that
    are in conflict because their runs disagree: a rule for the row takes them.
    """

    words: str
    rule: Rule
    cases: tuple[str, ...]
    conflicts: Mapping[str, str]
    matcher: Matcher | None
    varying: frozenset[str] = frozenset()
    lines: tuple[RebaseLine, ...] = ()


class RebasePreview(Struct, frozen=True):
    """The rows, and what one should know: cases without a conversation."""

    lines: tuple[RebaseLine, ...]
    notes: tuple[str, ...]


class DecideRebase(Struct, frozen=True):
    """What would decisions do?"""

    decided: tuple[Decided, ...]


class RebaseMarks(Struct, frozen=True):
    """How many verdicts there are of each status before and after, by its name; and how much is still open.

    `after_of` are the verdicts of single cases; `files` the numbers of the files that would change.
    """

    before: Mapping[str, int]
    after: Mapping[str, int]
    left: int
    conflicts: int
    changed: int
    after_of: Mapping[str, str]
    files: tuple[int, ...]
    refused: tuple[str, ...] = ()


class LoadDecisions(Struct, frozen=True):
    """What does a file of decisions say of these rows? The answer has their form."""

    path: str


class SaveDecisions(Struct, frozen=True):
    """Write the rows as they are decided into a file of decisions."""

    path: str
    decided: tuple[Decided, ...]


class RebaseHere(Struct, frozen=True):
    """Take what is decided into the goldens of a file."""

    decided: tuple[Decided, ...]
