"""What the window asks of the child in which goldens are edited, and what that says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

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


@dataclass(frozen=True, slots=True)
class Begin:
    """Edit this file, as it was read; `digest` is the SHA-256 of the bytes that the window shows."""

    file: int
    path: str
    digest: str


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Go on with the edits of a file that another window left behind in this journal."""

    file: int
    path: str
    journal: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on with the edits that the process before this one was told of; without any, begin with the file.

    `records` counts the changes that somebody was told of. `saved_as` is where the process was told to save them
    when it ended: there they are when their journal is gone.
    """

    file: int
    path: str
    digest: str
    process: int
    journal: str
    records: int
    saved_as: str = ""


@dataclass(frozen=True, slots=True)
class ListRecoverable:
    """Whatever other processes left behind."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Offer the edits in this journal and the text beside it no longer; the answer is where they are kept."""

    journal: str
    drafts: str = ""


@dataclass(frozen=True, slots=True)
class ListForgotten:
    """Which forgotten edits are still kept."""


@dataclass(frozen=True, slots=True)
class BringBack:
    """Offer the edits again that are kept there."""

    journal: str


@dataclass(frozen=True, slots=True)
class RunShown:
    """Another run is shown; and what its verdicts rest on, as soon as that is known."""

    run: int  # the window's own number for it
    ground: Ground | None
    edited: bool  # goldens were edited since it began and before this is told: nobody here knows how it has them


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict of that run on a case that is about to change, and the trace it is about."""

    run: int
    index: int  # its place among the run's verdicts
    verdict: CaseVerdict
    trace: Bodies
    bodies: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """Change cases, by their places, as one step. Steps of one `group` other than 0 in a row are one edit."""

    file: int
    changes: tuple[tuple[str, tuple[GoldenChange, ...]], ...]
    judged: tuple[Judged, ...] = ()
    group: int = 0


@dataclass(frozen=True, slots=True)
class Learn:
    """Take these verdicts in, of cases that may be changed next: whoever types then does not wait for it."""

    file: int
    judged: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class ArrivedLate:
    """A verdict of the run on a case that was edited since it began, by the place that it had then."""

    file: int
    judged: Judged
    place: str  # where the case stands now


@dataclass(frozen=True, slots=True)
class Arrange:
    """Have these cases in this order, as one step."""

    file: int
    cases: tuple[Arranged, ...]


@dataclass(frozen=True, slots=True)
class Make:
    """Do something larger with a file's cases, as one step."""

    file: int
    what: Making
    judged: tuple[Judged, ...] = ()
    group: int = 0


@dataclass(frozen=True, slots=True)
class Ask:
    """What something larger would come to, or what is to be said of a file's cases."""

    file: int
    what: Asking


@dataclass(frozen=True, slots=True)
class Go:
    """Make so many steps again that were taken back; of a number below zero, take so many back."""

    file: int
    steps: int


@dataclass(frozen=True, slots=True)
class Revert:
    """Back to what was opened or saved last, as one step."""

    file: int


@dataclass(frozen=True, slots=True)
class Save:
    """Save in place, or under another name; with `force` over what somebody else wrote meanwhile."""

    file: int
    path: str = ""
    force: bool = False


@dataclass(frozen=True, slots=True)
class ForecastSave:
    """What a save under this name would come to; in place, where there is none."""

    file: int
    path: str = ""


@dataclass(frozen=True, slots=True)
class CompareWithDisk:
    """What became of the file on disk, beside what was changed here."""

    file: int


@dataclass(frozen=True, slots=True)
class Merged:
    """Go on with the file as it lies on disk, what was changed here made there in one step.

    `digest` is that of the file that the choices are about.
    """

    file: int
    digest: str
    cases: tuple[tuple[int, MergeChoice], ...] = ()
    parts: tuple[tuple[str, MergeChoice], ...] = ()
    order: MergeChoice = MergeChoice.THEIRS


@dataclass(frozen=True, slots=True)
class Leave:
    """Edit it no longer. What is not saved stays recoverable, unless it is to be forgotten."""

    file: int
    forget: bool = False


@dataclass(frozen=True, slots=True)
class SendRows:
    """The rows of a file as it is now; they are told as those of a file that is read."""

    file: int


@dataclass(frozen=True, slots=True)
class ListChangedLines:
    """Which lines of the file the edits change."""

    file: int


@dataclass(frozen=True, slots=True)
class Unreached:
    """The answer to `Go` where the steps are not known any more, and why."""

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
)


def in_group(request: Request | None, group: int) -> Request | None:
    """The same as a step of a group, where it makes one."""
    return replace(request, group=group) if isinstance(request, Change | Make) else request


@dataclass(frozen=True, slots=True)
class Rescored:
    """What the run says of a case as it is now."""

    run: int
    index: int
    verdict: CaseVerdict


@dataclass(frozen=True, slots=True)
class EditedFileState:
    """A file after a request: where its cases stand, which are different now, and what may be done next.

    `edits` counts what is not on disk, as people count it who type a word in one; `moved` is false when the request
    changed nothing. `path`, `digest` and `stamp` are those of the file on disk after it was saved. `depth` counts
    the steps that undo can take back, `records` those that are in the `journal`, by which another process can go
    on. `edit_sizes` says of edits that were recovered of how many steps each is.
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


@dataclass(frozen=True, slots=True)
class Clash:
    """Nothing was saved, because the file is another one on disk than the one that was edited."""

    file: int
    sentence: str


@dataclass(frozen=True, slots=True)
class MergeRow:
    """A case or another part that is different, as text: `key` is its number, its pointer, or None for the order."""

    key: int | str | None
    name: str
    kind: ChangedBy
    mine: str
    theirs: str


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What is different; of very many rows, the first, those with conflicts before the others.

    `losses` say which cases cannot keep their ids where nothing else is chosen than what is on disk.
    """

    file: int
    digest: str
    rows: tuple[MergeRow, ...]
    count: int
    conflicts: int
    unchanged: int
    order: ChangedBy
    losses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Forecast:
    """What others may refuse of a file as it is now, and how much of it becomes something new under another name."""

    file: int
    system: str
    findings: tuple[Finding, ...] = ()  # the first of them
    count: int = 0
    renewed: int = 0


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines that a save would change: number, before, after; of very many, the first."""

    file: int
    lines: tuple[tuple[int, str, str], ...]
    count: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that somebody should know, though nothing failed."""

    sentence: str
