"""Requests of the window to the golden child, and its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange
from trace_inspector.core.golden.three_way import ChangedBy, MergeChoice
from trace_inspector.core.values.value_edits import ValueStep
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.documents.base.document import Stamp
from trace_inspector.documents.zip.layout import MemberStamp
from trace_inspector.work.reading.contents_from_rows import Bodies
from trace_inspector.work.runs.evaluating import MetricLine

if TYPE_CHECKING:
    from trace_inspector.flows.goldens.golden_session import Arranged
    from trace_inspector.flows.runs.evaluate_files import Ground
    from trace_inspector.work.golden.bulk_requests import Asking, Making
from trace_inspector.work.golden.rebase_requests import DecideRebase, LoadDecisions, ProposeRebase, SaveDecisions


class Begin(Struct, frozen=True):
    """Start editing a file; `digest` is the SHA-256 of the bytes that the window shows."""

    file: int
    path: str
    digest: str


class TakeUp(Struct, frozen=True):
    """Continue the edits of a file that another window left in this journal."""

    file: int
    path: str
    journal: str


class GoOn(Struct, frozen=True):
    """Continue the edits of the child before this one; without any, start with the file.

    `records` is the number of changes it reported. `saved_as` is the path of a save during which it ended: the edits
    are there when their journal is gone.
    """

    file: int
    path: str
    digest: str
    process: int
    journal: str
    records: int
    saved_as: str = ""


class ListRecoverable(Struct, frozen=True):
    """List the unsaved edits of other processes."""


class Forget(Struct, frozen=True):
    """Discard the edits in this journal and the drafts beside it; the answer is where they are kept."""

    journal: str
    drafts: str = ""


class ListForgotten(Struct, frozen=True):
    """List the discarded edits that are still kept."""


class BringBack(Struct, frozen=True):
    """Make discarded edits recoverable again."""

    journal: str


class RunShown(Struct, frozen=True):
    """Another run is shown; comes again with its ground as soon as that is known."""

    run: int  # the window's own number for it
    ground: Ground | None
    edited: bool  # after the run began and before this message: the goldens of the run are unknown


class Judged(Struct, frozen=True):
    """A verdict of that run on a case that is about to change, and the trace it is about."""

    run: int
    index: int  # among the verdicts of the run
    verdict: CaseVerdict
    trace: Bodies
    bodies: tuple[bytes, ...]


class Change(Struct, frozen=True):
    """Change cases, by place, as one step. Successive steps of one `group` other than 0 count as one edit."""

    file: int
    changes: tuple[tuple[str, tuple[GoldenChange, ...]], ...]
    judged: tuple[Judged, ...] = ()
    group: int = 0


class Learn(Struct, frozen=True):
    """Prepare verdicts of cases that may be changed next, so that typing does not wait for it."""

    file: int
    judged: tuple[Judged, ...]


class ArrivedLate(Struct, frozen=True):
    """A verdict on a case that was edited after the run began, with the place that it had then."""

    file: int
    judged: Judged
    place: str  # the current place of the case


class Arrange(Struct, frozen=True):
    """Have exactly these cases in this order, as one step."""

    file: int
    cases: tuple[Arranged, ...]


class Make(Struct, frozen=True):
    """Make a larger change to the cases of a file, as one step."""

    file: int
    what: Making
    judged: tuple[Judged, ...] = ()
    group: int = 0


class Ask(Struct, frozen=True):
    """Ask for a preview or another answer about the cases of a file."""

    file: int
    what: Asking


class Go(Struct, frozen=True):
    """Redo that many steps; below zero, undo them."""

    file: int
    steps: int


class Revert(Struct, frozen=True):
    """Go back to what was last opened or saved, as one step."""

    file: int


class Save(Struct, frozen=True):
    """Save in place, or under another name; `force` overwrites changes on disk."""

    file: int
    path: str = ""
    force: bool = False


class ForecastSave(Struct, frozen=True):
    """Forecast the result of a save under this name; in place without one."""

    file: int
    path: str = ""


class CompareWithDisk(Struct, frozen=True):
    """Compare the changes on disk with those made here."""

    file: int


class Merged(Struct, frozen=True):
    """Continue with the file as it is on disk, with the changes made here applied in one step.

    `digest` is that of the file that the choices are about.
    """

    file: int
    digest: str
    cases: tuple[tuple[int, MergeChoice], ...] = ()
    parts: tuple[tuple[str, MergeChoice], ...] = ()
    order: MergeChoice = MergeChoice.THEIRS


class Leave(Struct, frozen=True):
    """Stop editing a file. Unsaved edits stay recoverable, unless `forget`."""

    file: int
    forget: bool = False


class SendRows(Struct, frozen=True):
    """Send the rows of the edited file, in the messages of a file being read."""

    file: int


class ListChangedLines(Struct, frozen=True):
    """List the lines of the file that the edits change."""

    file: int


class Unreached(Struct, frozen=True):
    """The answer to `Go` where the steps are no longer known, and why."""

    sentence: str


Request: TypeAlias = (
    Begin
    | TakeUp
    | GoOn
    | ListRecoverable
    | Forget
    | ListForgotten
    | BringBack
    | RunShown
    | Learn
    | ArrivedLate
    | Change
    | Arrange
    | Make
    | Ask
    | Go
    | Revert
    | Save
    | ForecastSave
    | CompareWithDisk
    | Merged
    | Leave
    | SendRows
    | ListChangedLines
    | ProposeRebase
    | DecideRebase
    | LoadDecisions
    | SaveDecisions
)


def in_group(request: Request | None, group: int) -> Request | None:
    """The request as a step of a group, where it makes a step."""
    return replace(request, group=group) if isinstance(request, Change | Make) else request


class Rescored(Struct, frozen=True):
    """The verdict of the run on an edited case."""

    run: int
    index: int
    verdict: CaseVerdict


class EditedFileState(Struct, frozen=True):
    """A file after a request: the places of its cases, those that changed, and what can be done next.

    `edits` is the number of unsaved edits as people count them; `moved` is false when the request changed nothing.
    `path`, `digest` and `stamp` are those of the file on disk after a save. `depth` is the number of steps that can
    be undone, `records` the number in the `journal`, with which another process can continue. `edit_sizes` are the
    numbers of steps of recovered edits.
    """

    file: int
    is_changed: bool
    edits: int
    places: tuple[str, ...]
    moved: bool = False
    steps: tuple[ValueStep, ...] = ()
    cases: tuple[Case, ...] = ()
    losses: tuple[Finding, ...] = ()
    rescored: tuple[Rescored, ...] = ()
    metrics: tuple[MetricLine, ...] = ()  # by which they were scored again
    path: str = ""
    digest: str = ""
    stamp: Stamp | MemberStamp | None = None
    depth: int = 0
    records: int = 0
    journal: str = ""
    process: int = 0
    edit_sizes: tuple[int, ...] = ()


class Clash(Struct, frozen=True):
    """Nothing was saved, because the file on disk has changed."""

    file: int
    sentence: str


class MergeRow(Struct, frozen=True):
    """A case or another part that differs, as text: `key` is its index, its pointer, or None for the order."""

    key: int | str | None
    name: str
    kind: ChangedBy
    mine: str
    theirs: str


class MergePreview(Struct, frozen=True):
    """The differences; a limited number of rows, those with conflicts first.

    `losses` list the cases that cannot keep their ids if everything on disk is chosen.
    """

    file: int
    digest: str
    rows: tuple[MergeRow, ...]
    count: int
    conflicts: int
    unchanged: int
    order: ChangedBy
    losses: tuple[str, ...] = ()


class Forecast(Struct, frozen=True):
    """What a service may refuse of the file, and how many resources a save under another name renews."""

    file: int
    system: str
    findings: tuple[Finding, ...] = ()  # the first of them
    count: int = 0
    renewed: int = 0


class Lines(Struct, frozen=True):
    """The lines that a save would change: number, before, after; a limited number of them."""

    file: int
    lines: tuple[tuple[int, str, str], ...]
    count: int


class Trouble(Struct, frozen=True):
    """A warning, though nothing failed."""

    sentence: str
