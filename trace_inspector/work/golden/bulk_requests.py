"""Larger requests to the golden child: changes made as one step, and previews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.bulk_change import Bulk, Row, Where
from trace_inspector.core.golden.golden_change import SuiteDescribed
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.work.golden.rebase_requests import RebaseHere
from trace_inspector.work.reading.contents_from_rows import Bodies


class Recorded(Struct, frozen=True):
    """A conversation as the window has it, the chosen turns (None: all), its verdict, first wrong calls of turns."""

    source: Bodies
    bodies: tuple[bytes, ...]
    turns: tuple[int, ...] | None = None
    verdict: Status | None = None
    faults: Mapping[int, int] = {}  # by turn


class Promote(Struct, frozen=True):
    """Make new goldens of conversations. `name` is the id of a single one; "" derives it from the text."""

    recorded: tuple[Recorded, ...]
    wants: frozenset[str]
    name: str = ""


class PromoteInto(Struct, frozen=True):
    """Put a conversation into the case at a place, in one of the WAYS."""

    recorded: Recorded
    wants: frozenset[str]
    place: str
    way: str


class PromoteCall(Struct, frozen=True):
    """Make a turn of a case expect a recorded call: instead of the call at a place, or after all."""

    recorded: Recorded
    turn: int
    call: int
    place: str
    golden_turn: int
    instead_of: str = ""


class CopyHere(Struct, frozen=True):
    """Append cases of another file: by place where it is being edited too, else as `recorded`."""

    source: int
    places: tuple[str, ...] = ()
    recorded: tuple[Recorded, ...] = ()


class ShapeCases(Struct, frozen=True):
    """Add, duplicate, delete, split, join or move cases, or duplicate turns of one; `turns` count from 0."""

    kind: str
    places: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()


class Replacing(Struct, frozen=True):
    """Replace a text, as a value that can be pickled."""

    where: frozenset[Where]
    old: str
    new: str
    is_pattern: bool = False
    any_case: bool = False


class BulkHere(Struct, frozen=True):
    """Make a bulk edit in these cases."""

    bulk: Bulk | Replacing
    places: tuple[str, ...]


class FixHint(Struct, frozen=True):
    """Fix what a lint hints at; the hint is identified by its place and sentence."""

    lint: str
    place: str
    sentence: str


Making: TypeAlias = (
    Promote | PromoteInto | PromoteCall | CopyHere | ShapeCases | BulkHere | RebaseHere | FixHint | SuiteDescribed
)


class PreviewChange(Struct, frozen=True):
    """Preview a larger change of a file."""

    what: Promote | PromoteInto | CopyHere


class ChangePreview(Struct, frozen=True):
    """The new ids, the losses, and the chosen turns that match no turn of the golden."""

    ids: tuple[str, ...] = ()
    losses: tuple[Finding, ...] = ()
    unmatched: tuple[int, ...] = ()
    changes: bool = True  # whether anything would change


class NewSuite(Struct, frozen=True):
    """Write a new file with goldens of conversations or cases."""

    format: str
    path: str = ""  # "" only previews it
    promote: Promote | None = None
    copy: CopyHere | None = None


class PreviewBulk(Struct, frozen=True):
    """Preview a bulk edit of these files, or of some of their cases."""

    bulk: Bulk | Replacing
    files: tuple[tuple[int, tuple[str, ...] | None], ...]


class BulkPreview(Struct, frozen=True):
    """The preview of a bulk edit: its title, its rows, each with its file, and what is left out and why.

    The number of rows is limited; `cases` are all that would change, each with its file.
    """

    title: str
    rows: tuple[tuple[int, Row], ...] = ()
    cases: tuple[tuple[int, str], ...] = ()
    count: int = 0
    left_out: tuple[str, ...] = ()


class ProposeMatchers(Struct, frozen=True):
    """Propose matchers for a case from runs of it, beside those that a coding agent proposed."""

    place: str
    runs: tuple[Recorded, ...]


class DecideProposal(Struct, frozen=True):
    """Note what a person decided on a proposal of a coding agent, by the number of its row."""

    number: int
    decision: str


Asking: TypeAlias = PreviewChange | NewSuite | PreviewBulk | ProposeMatchers | DecideProposal
