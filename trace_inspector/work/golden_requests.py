"""What the window asks of the child in which goldens are edited, and what that says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from trace_inspector.core.finding import Finding
from trace_inspector.core.golden import Case
from trace_inspector.core.golden_change import GoldenChange
from trace_inspector.core.value_edits import Step
from trace_inspector.core.verdict import CaseVerdict
from trace_inspector.work.evaluating import MetricLine
from trace_inspector.work.rebuilding import Bodies

if TYPE_CHECKING:
    from trace_inspector.flows.evaluate_files import Ground
    from trace_inspector.flows.golden_session import Arranged


@dataclass(frozen=True, slots=True)
class Begin:
    """Edit this file, as it was read; `digest` is the SHA-256 of the bytes that the window shows."""

    file: int
    path: str
    digest: str


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Go on with the edits of a file that a process left behind: in this journal, else in whichever is the file's.

    Without a journal, and where there is none, the file is edited from its beginning.
    """

    file: int
    path: str
    journal: str = ""


@dataclass(frozen=True, slots=True)
class LeftWanted:
    """Whatever other processes left behind."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Nobody wants the edits in this journal."""

    journal: str


@dataclass(frozen=True, slots=True)
class GroundTold:
    """What the verdicts of the run rest on that is shown now."""

    run: int  # the window's own number for it
    ground: Ground


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict of that run on a case that is about to change, and the trace it is about."""

    run: int
    at: int  # its place among the run's verdicts
    verdict: CaseVerdict
    trace: Bodies
    bodies: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """Change cases, by their places, as one step."""

    file: int
    changes: tuple[tuple[str, tuple[GoldenChange, ...]], ...]
    judged: tuple[Judged, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrange:
    """Have these cases in this order, as one step."""

    file: int
    cases: tuple[Arranged, ...]


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
class Leave:
    """Edit it no longer. What is not saved stays recoverable, unless it is to be forgotten."""

    file: int
    forget: bool = False


@dataclass(frozen=True, slots=True)
class RowsWanted:
    """The rows of a file as it is now; they are told as those of a file that is read."""

    file: int


@dataclass(frozen=True, slots=True)
class LinesWanted:
    """Which lines of the file the edits change."""

    file: int


Request: TypeAlias = (
    Begin
    | TakeUp
    | LeftWanted
    | Forget
    | GroundTold
    | Change
    | Arrange
    | Go
    | Revert
    | Save
    | Leave
    | RowsWanted
    | LinesWanted
)


@dataclass(frozen=True, slots=True)
class Rescored:
    """What the run says of a case as it is now."""

    run: int
    at: int
    verdict: CaseVerdict


@dataclass(frozen=True, slots=True)
class Stand:
    """A file after a request: where its cases stand, which are different now, and what may be done next.

    `edits` counts the steps between the file on disk and what is edited; `moved` is false when the request changed
    nothing. `digest` is that of the file on disk after it was saved.
    """

    file: int
    is_changed: bool
    edits: int
    places: tuple[str, ...]
    moved: bool = False
    steps: tuple[Step, ...] = ()
    cases: tuple[Case, ...] = ()
    losses: tuple[Finding, ...] = ()
    rescored: tuple[Rescored, ...] = ()
    metrics: tuple[MetricLine, ...] = ()  # by which they were scored again
    path: str = ""
    digest: str = ""


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
