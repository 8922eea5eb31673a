"""The texts of the timeline: a lane, the critical path, the selection compared with all latencies."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from itertools import islice

from trace_inspector.core.rows.timing import NO_COUNT, NOWHERE, Form, Mark, Work
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.timeline.lanes import Lane, LaneKind
from trace_inspector.models.timeline.timeline import Timeline

_LOOKED_BACK = 1_000  # pieces of the path that are searched for the last of a kind
_ONE_AFTER_ANOTHER = "When turns began is not recorded: they stand one after another"
_EPOCH_ONLY = "{0:,.3f} s after 1970"
FORM_NAMES = {
    Form.AGENT: "agent",
    Form.MODEL: "model call",
    Form.TOOL: "tool call",
    Form.TRANSPORT: "span",
    Form.WAIT: "waiting between two requests",
}


def exact_text(seconds: float) -> str:
    """A duration to the microsecond, without trailing zeros."""
    whole, _point, places = f"{abs(seconds):,.6f}".partition(".")
    return ("\N{MINUS SIGN}" if seconds < 0 else "") + f"{whole}.{places.rstrip('0').ljust(3, '0')} s"


def moment_text(moment_s: float) -> str:
    """Date and time, UTC, to the millisecond; a number of seconds when it is out of range."""
    try:
        moment = datetime.fromtimestamp(moment_s, UTC)
    except (OverflowError, OSError, ValueError):
        return _EPOCH_ONLY.format(moment_s)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03d} UTC"


def point(timeline: Timeline, kind: str) -> tuple[str, float] | None:
    """The name and duration of the selection that is compared with all values of a kind."""
    head, piece = timeline.current.head, timeline.current.piece
    work = timeline.works.get(head)
    if work is None or math.isnan(work.start_s) or head == timeline.top:
        return None
    if kind == "turn":
        return timeline.name(head), work.end_s - work.start_s
    form = Form.MODEL if kind == "model" else Form.TOOL
    if piece != NOWHERE and piece < work.timed and work.form[piece] == form:
        return (work.label[piece], work.duration_s[piece]) if not work.mark[piece] & Mark.MOMENT else None
    last = next((step for step in islice(reversed(work.path), _LOOKED_BACK) if work.form[step] == form), NOWHERE)
    return (
        (f"last {'call' if form is Form.MODEL else work.label[last]}", work.duration_s[last]) if last >= 0 else None
    )


def standing(timeline: Timeline, kind: str) -> tuple[str, ...]:
    """Comparisons of the selection with all values of a kind, from the whole sentence to the bare figure."""
    named_point = point(timeline, kind)
    values = timeline.sums.values[kind]
    if named_point is None or named_point[1] < 0:
        return ()
    label, seconds = named_point
    figure = seconds_text(seconds)
    if len(values.ordered) < 2:
        return f"{label}: {figure}", figure
    share = f"slower than {values.slower_than(seconds)} %"
    return f"{label}: {figure}, {share}", f"{figure}, {share}", figure


def summary(timeline: Timeline) -> str:
    """The critical path of the current turn by kind of work, and the number of pieces without a time."""
    heads = timeline.sums.heads
    head = timeline.current.head if timeline.current.head in timeline.works else heads[0] if len(heads) == 1 else TOP
    work = timeline.works.get(head)
    sentences = []
    if work is not None and len(work.path):
        parts = [
            f"{name} {seconds_text(length_s)}"
            for name, length_s in (("tools", work.path_tool_s), ("model", work.path_model_s))
            if length_s > 0
        ]
        sentences.append(f"{timeline.name(head)} critical path: {', '.join(parts)}")
    if timeline.has_times and not timeline.knows_moments:
        sentences.append(_ONE_AFTER_ANOTHER)
    elif timeline.sums.untimed:
        verb = "has" if timeline.sums.untimed == 1 else "have"
        sentences.append(f"{counted(timeline.sums.untimed, 'piece')} {verb} no time recorded")
    return "; ".join(sentences)


def described(timeline: Timeline, lane: Lane) -> str:
    """A lane in whole sentences, one a line: kind, start, duration and what is special about it."""
    work, turn = timeline.works.get(lane.head), timeline.name(lane.head)
    if lane.kind is LaneKind.UNTIMED:
        return f"{counted(timeline.lanes.untimed(lane.head), 'piece')} of {turn} without a recorded time"
    if work is None:
        return f"{turn}: its times are being worked out"
    if lane.kind is LaneKind.EVENTS:
        return f"{counted(len(work.sign), 'event')} of {turn}"
    if lane.piece == NOWHERE:
        return _described_turn(timeline, lane, work)
    return _described_piece(work, lane.piece, turn)


def _described_turn(timeline: Timeline, lane: Lane, work: Work) -> str:
    label = timeline.file.table.label(lane.head) if timeline.file and lane.head != timeline.top else "Outside turns"
    if math.isnan(work.start_s):
        return f"{label}\nno time recorded"
    if not math.isnan(work.length_s):
        return f"{label}\nStart not recorded\nDuration {exact_text(work.length_s)}"
    derived = " (derived)" if work.derived else ""
    return f"{label}\nStart {moment_text(work.start_s)}\nDuration {exact_text(work.end_s - work.start_s)}{derived}"


def _described_piece(work: Work, piece: int, turn: str) -> str:
    lines = [f"{work.label[piece]}, {FORM_NAMES[Form(work.form[piece])]}"]
    mark = work.mark[piece]
    if piece >= work.timed:
        lines.append("no time recorded")
    else:
        begin_s, length_s = work.begin_s[piece], work.duration_s[piece]
        into = f", {exact_text(begin_s - work.start_s)} into {turn}" if turn else ""
        lines.append(f"Start {moment_text(begin_s)}{into}")
        length = "not stated" if mark & Mark.MOMENT else exact_text(length_s)
        lines.append(f"Duration {length}" + (" (derived)" if mark & Mark.DERIVED else ""))
        if length_s < 0:
            lines.append("It ended before it began: shown as a moment.")
        if begin_s < work.start_s or work.stop_s(piece) > work.end_s:
            lines.append("It reaches beyond its turn.")
        if not math.isnan(work.slack_s[piece]):
            lines.append(f"Not on the critical path: slack {exact_text(work.slack_s[piece])}")
        elif work.path_at[piece] != NOWHERE:
            lines.append("On the critical path")
    if work.prompt[piece] != NO_COUNT:
        cached = f", {work.cached[piece]:,} of them from cache" if work.cached[piece] != NO_COUNT else ""
        lines.append(f"{work.prompt[piece]:,} prompt tokens{cached}")
    if mark & Mark.ERROR:
        lines.append("It failed.")
    return "\n".join(lines)
