"""The columns of the tree: their kinds and order, and what its cases and turns are sorted by."""

from __future__ import annotations

import enum

from msgspec import Struct

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.score_cells import SHORT
from trace_inspector.work.runs.evaluating import MetricLine


class TreeColumn(enum.Enum):
    """The kind of a column. Score columns, one per criterion of the run, are between WHAT and TIME."""

    WHAT = N_("What happened")
    SCORE = N_("Score")
    TIME = N_("Time in turn")
    LATENCY = N_("Latency")
    TOKENS = N_("Tokens")
    AUTHOR = N_("Author")
    START = N_("In turn")
    CANDIDATE = N_("Candidate")
    PERSONA = N_("Persona")
    RUN = N_("Run")


BEFORE = (TreeColumn.WHAT,)
BEHIND = (
    TreeColumn.TIME,
    TreeColumn.LATENCY,
    TreeColumn.TOKENS,
    TreeColumn.AUTHOR,
    TreeColumn.START,
    TreeColumn.CANDIDATE,
    TreeColumn.PERSONA,
    TreeColumn.RUN,
)
FROM_THE_LEFT = frozenset(
    {TreeColumn.WHAT, TreeColumn.TIME, TreeColumn.AUTHOR, TreeColumn.CANDIDATE, TreeColumn.PERSONA}
)
TIPS = {
    TreeColumn.CANDIDATE: N_("The candidate that gave these answers"),
    TreeColumn.PERSONA: N_("The persona of the simulated user"),
    TreeColumn.RUN: N_("The run of the case this is"),
}
_SPOKEN = {" ↓": N_(", sorted, the largest first"), " ↑": N_(", sorted, the smallest first")}
_LARGEST_FIRST = frozenset({TreeColumn.LATENCY, TreeColumn.TOKENS})


class Sorting(Struct, frozen=True):
    """The column that cases and turns are sorted by; that of a criterion is named by it."""

    kind: TreeColumn
    metric: str = ""
    is_reversed: bool = False  # the other way than one looks first: the slowest, but the lowest score

    @property
    def falls(self) -> bool:
        """Whether the largest is first."""
        return (self.kind in _LARGEST_FIRST) is not self.is_reversed


def sign(sorting: Sorting | None, kind: TreeColumn, metric: str, *, spoken: bool = False) -> str:
    """What stands behind the name of the column that rows are sorted by, or is said of it; "" behind others."""
    if sorting is None or (sorting.kind, sorting.metric) != (kind, metric):
        return ""
    shown = " ↓" if sorting.falls else " ↑"
    return tr(_SPOKEN[shown]) if spoken else shown


def filled_columns(table: RowTable) -> frozenset[TreeColumn]:
    """The columns, other than scores, that have a value in these rows."""
    has = {
        TreeColumn.TIME: table.has_starts and table.longest_turn_s > 0,
        TreeColumn.LATENCY: table.has_durations,
        TreeColumn.TOKENS: table.has_tokens,
        TreeColumn.AUTHOR: any(table.columns.authors),
        TreeColumn.START: table.has_starts,
        TreeColumn.CANDIDATE: table.details.candidates,
        TreeColumn.PERSONA: table.details.personas,
        TreeColumn.RUN: table.details.repeated,
    }
    return frozenset(column for column, value in has.items() if value)


def metric_columns(run: CurrentRun | None, file: OpenFile | None) -> tuple[MetricLine, ...]:
    """The criteria of the run; without a run, those of the scores that the file reports."""
    if run is not None:
        return run.scored
    names = file.reported.metrics if file is not None else ()
    return tuple(MetricLine(name, SHORT.get(name, name), "as reported") for name in names)
