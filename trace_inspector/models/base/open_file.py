"""One file of the workspace: its reading state, its rows and its findings."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from trace_inspector import log
from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import REPORTED_ONLY
from trace_inspector.core.rows.evidence import COMPARED, SHOWN_FIRST
from trace_inspector.core.rows.rows import Kind, RowBatch
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.outline import Outline
from trace_inspector.core.verdict.parting import Parting
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.regrowth import Regrowth
from trace_inspector.models.base.reported_verdicts import ReportedVerdicts
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.work.reading.file_messages import (
    REPORTED,
    BodyCompleted,
    FileMessage,
    FileRead,
    Found,
    IndexNotStored,
    Outlined,
    Recognised,
    Reopened,
    RowsRead,
    VerdictsReported,
)

_log = log.logger("index")


class FileState(enum.Enum):
    """The reading state of a file."""

    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"
    STOPPED = "stopped"


class OnDisk(enum.Enum):
    """What happened to a file on disk since it was read."""

    SAME = ""
    CHANGED = "changed"
    GONE = "gone"


class Group(enum.Enum):
    """The headings of the workspace, in their order."""

    TRACES = "Traces"
    SUITES = "Eval sets"
    RESULTS = "Results"
    CRITERIA = "Criteria"
    OTHER = "Other files"


@dataclass(slots=True, eq=False)
class OpenFile:
    """An open file. Only `Files` changes it, because `Files` emits the signals of each change."""

    number: int
    path: Path
    format: str = ""
    state: FileState = FileState.LOADING
    sentence: str = ""  # why it failed
    digest: str = ""  # SHA-256 of its bytes,
    size_bytes: int = 0  # and how many they are, where that is known
    on_disk: OnDisk = OnDisk.SAME
    unsaved: int = 0  # edits that are not on disk
    writes: int = 0  # how often it was written here
    table: RowTable = field(default_factory=RowTable)
    reported: ReportedVerdicts = field(init=False)
    findings: list[Finding] = field(default_factory=list)
    criteria: Criteria | None = None
    holds: dict[str, int] = field(default_factory=dict)
    has_traces: bool = False
    has_suites: bool = False
    has_cases: bool = False  # a suite may be a run or a list of names, and have none
    outline: Outline | None = None  # of a session among others
    growth: Regrowth | None = None  # while its rows change in place
    parted: Mapping[int, Parting] = field(default_factory=dict)  # rows in which a turn that runs is not as its golden

    def __post_init__(self) -> None:
        self.reported = ReportedVerdicts(self.table)

    def take_over(self, fresh: OpenFile) -> None:
        """Take over the results of another reading of the same file."""
        self.table.unshown_edits.continue_in(fresh.table.unshown_edits)
        self.table, self.reported, self.findings = fresh.table, fresh.reported, fresh.findings
        self.criteria, self.holds = fresh.criteria, fresh.holds
        self.digest, self.size_bytes = fresh.digest, fresh.size_bytes
        self.has_traces, self.has_suites, self.has_cases = fresh.has_traces, fresh.has_suites, fresh.has_cases
        self.format, self.state, self.sentence = fresh.format, fresh.state, fresh.sentence

    def take(self, message: FileMessage) -> bool:
        """Take a message of the process that reads the file; true when more than its rows changed."""
        match message:
            case Outlined():
                self.outline = message.outline
            case Recognised():
                self.format = message.format
            case RowsRead():
                return self._take_rows(message.batch)
            case BodyCompleted():
                self.table.replace_body(message.number, message.body)
            case VerdictsReported():
                self.reported.take(message.batch)
            case Reopened():
                self.table.use_bodies(message.bodies)
                return False
            case Found():
                self.findings += message.findings
                self.holds.update((content.what, content.count) for content in message.holds)
                self.criteria = message.criteria or self.criteria
            case FileRead():
                self.sentence, self.digest = message.sentence or self._not_recognised(), message.digest
                self.size_bytes = message.size_bytes
                self.state = FileState.FAILED if self.sentence else FileState.READY
            case IndexNotStored():
                _log.info("What was read of a file is not kept: %s", message.sentence)
                return False
        return True

    def _not_recognised(self) -> str:
        """Why nothing of the file can be used, in the reader's words; empty for a file of a known format."""
        return next((finding.message for finding in self.findings if finding.code == "not-recognised"), "")

    def _take_rows(self, batch: RowBatch) -> bool:
        before = self.has_traces, self.has_suites
        self.has_traces = self.has_traces or Kind.TRACE in batch.kind
        self.has_cases = self.has_cases or Kind.CASE in batch.kind
        self.has_suites = self.has_suites or self.has_cases or Kind.SUITE in batch.kind
        self.table.append(batch)
        return before != (self.has_traces, self.has_suites)

    @property
    def unrecognised(self) -> bool:
        """Whether it was read, but is in no format that is known: its text can be shown."""
        return self.state is FileState.FAILED and bool(self._not_recognised())

    @property
    def can_be_judged(self) -> bool:
        """Whether verdicts may be computed: an evidence pack has placeholders, and only those that it reports."""
        return self.format not in REPORTED_ONLY

    @property
    def shows_text(self) -> bool:
        """Whether its bytes are text, as those of a database are not."""
        return all(finding.code != "database-tables" for finding in self.findings)

    @property
    def shown_first(self) -> str:
        """The place that was in view when an evidence pack was saved, or ""."""
        return next((finding.pointer for finding in self.findings if finding.code == SHOWN_FIRST), "")

    @property
    def compared(self) -> tuple[str, ...]:
        """What was compared when an evidence pack was saved."""
        return tuple(finding.pointer for finding in self.findings if finding.code == COMPARED)

    @property
    def stopped(self) -> str:
        """What is said where reading it was stopped."""
        read = f" after {counted(len(self.table), 'row')}, which are shown" if len(self.table) else ""
        return f"Reading {self.name} was stopped{read}. Open it again to read all of it."

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.name

    @property
    def label(self) -> str:
        """What people know it by: sessions of a folder by their titles, for their names are only numbers."""
        return (self.outline.title if self.outline is not None else "") or self.name

    @property
    def group(self) -> Group:
        """The heading of the workspace that lists it."""
        if self.holds.get(REPORTED):
            return Group.RESULTS
        if self.has_traces:
            return Group.TRACES
        if self.has_suites:
            return Group.SUITES
        if self.criteria is not None:
            return Group.CRITERIA
        return Group.OTHER
