"""The spans of agent-eval's rows: given to the turns whose invocations they measure; made-up ones are recognised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import error
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.synthetic_spans import are_synthetic
from trace_inspector.core.trace.trace import Span, SpanKind, Trace, Turn
from trace_inspector.core.values.pointer import join
from trace_inspector.documents.large.pieces import Piece
from trace_inspector.formats.agent_eval.cells import cell, cell_list, cell_objects
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.spans import dumps as span_dumps
from trace_inspector.formats.spans.spans import Recorded

LIST = "session_trace"
_SIMULATION = "simulation"
_INVOCATION = "gcp.vertex.agent.invocation_id"


class Timed(Struct, frozen=True):
    """Turns with their spans, those that belong to no turn, and whether the converter made them all up."""

    turns: tuple[Turn, ...]
    outside: tuple[Span, ...] = ()
    count: int = 0
    is_made_up: bool = False


def is_simulated(row: Fields) -> bool:
    """Whether the row was made from an eval history, and not in a live run."""
    return row.text("base_url") == _SIMULATION


def timed(row: Fields, turns: Sequence[Turn], report: Report) -> Timed:
    """The turns of a row with the spans of the same invocations, else with the durations that the row states."""
    recorded: list[Recorded] = []
    damaged: list[str] = []
    for index, recording in enumerate(cell_list(row, LIST)):
        place = join(row.pointer(LIST), index)
        read_span = span_dumps.span_of(recording, place) if isinstance(recording, dict) else None
        if read_span is None:
            damaged.append(place)
        else:
            recorded.append(read_span)
    if damaged:
        spans = "1 span is" if len(damaged) == 1 else f"{len(damaged)} spans are"
        message = f"{spans} left out: each span should be an object with an id. Give each a “span_id” of its own."
        report.add(error("damaged-span", message, damaged[0]))
    if not recorded:
        return Timed(tuple(_as_stated(row, turns)))
    is_made_up = are_synthetic(recording.span for recording in recorded)
    trees = _trees(recorded)
    taken = _of_turns(trees, turns)
    outside = [recording.span for root, tree in trees.items() if root not in taken.values() for recording in tree]
    with_spans = tuple(
        _with_spans(turn, [recording.span for recording in trees[taken[index]]], is_made_up)
        if index in taken
        else turn
        for index, turn in enumerate(turns)
    )
    return Timed(with_spans, tuple(outside), len(recorded), is_made_up)


def trace_of_spans(row: Fields, source: Source, report: Report) -> Trace | None:
    """The conversation by the spans alone."""
    listed = cell(row, LIST)
    if not isinstance(listed, list) or not listed:
        return None
    pieces = (Piece("0", [listed], row.pointer(LIST)),)
    contents = collect("", span_dumps.read(Source(listed, source.name, source.tick, pieces)))
    traces = contents.traces
    longest = max(traces, key=lambda trace: len(trace.turns), default=None)
    if longest is None or not longest.turns:
        return None
    report.take(contents.findings)
    spans = [span for trace in traces for turn in trace.turns for span in turn.spans]
    if not are_synthetic(spans):
        return longest
    return replace(longest, turns=tuple(replace(turn, guessed=turn.guessed | {"times"}) for turn in longest.turns))


def _trees(recorded: Sequence[Recorded]) -> dict[str, list[Recorded]]:
    """The spans by the invocation they belong to, else by the outermost span above them."""
    by_id = {recording.span.id: recording for recording in recorded}
    trees: dict[str, list[Recorded]] = {}
    homes: dict[str, str] = {}
    for recording in recorded:
        trees.setdefault(_home(recording, by_id, homes), []).append(recording)
    return trees


def _home(recording: Recorded, by_id: dict[str, Recorded], homes: dict[str, str]) -> str:
    way: dict[str, None] = {}
    ancestor: Recorded | None = recording
    home = recording.span.id
    while ancestor is not None and ancestor.span.id not in way:
        way[ancestor.span.id] = None
        home = homes.get(ancestor.span.id, ancestor.span.id)
        if ancestor.span.kind is SpanKind.RUN or ancestor.span.id in homes:
            break
        ancestor = by_id.get(ancestor.span.parent_id or "")
    homes.update(dict.fromkeys(way, home))
    return home


def _of_turns(trees: dict[str, list[Recorded]], turns: Sequence[Turn]) -> dict[int, str]:
    """Which tree is which turn: by the id of the invocation, else in their order when there are as many."""
    named = {turn.id: index for index, turn in enumerate(turns) if turn.id}
    taken = {
        named[invocation]: root
        for root, tree in trees.items()
        for recording in tree
        if (invocation := recording.attributes.text(_INVOCATION)) in named
    }
    if taken:
        return taken
    roots = [
        root
        for root, tree in trees.items()
        if any(recording.span.kind is not SpanKind.PLUMBING for recording in tree)
    ]
    roots.sort(key=lambda root: min(recording.span.start_s or 0.0 for recording in trees[root]))
    return dict(enumerate(roots)) if len(roots) == len(turns) else {}


def _with_spans(turn: Turn, spans: list[Span], is_made_up: bool) -> Turn:
    if is_made_up:
        return replace(turn, spans=tuple(spans), guessed=turn.guessed | {"times"})
    run = _outermost(spans)
    if run is None or run.duration_s is None:
        return replace(turn, spans=tuple(spans))
    start = turn.start_s if run.start_s is None else run.start_s
    return replace(
        turn, spans=tuple(spans), start_s=start, duration_s=run.duration_s, guessed=turn.guessed - {"times"}
    )


def _outermost(spans: list[Span]) -> Span | None:
    """The span of the whole turn: of its run, or of an agent with no other span above."""
    ids = {span.id for span in spans}
    agents = (span for span in spans if span.kind is SpanKind.AGENT and span.parent_id not in ids)
    return next((span for span in spans if span.kind is SpanKind.RUN), None) or next(agents, None)


def _as_stated(row: Fields, turns: Sequence[Turn]) -> Iterator[Turn]:
    """Without spans, the durations of invocations are those of the row, when there is one for each turn.

    Those of a simulated row count events, as its spans do.
    """
    stated = cell_objects(row, "latency_data")
    if len(stated) != len(turns) or is_simulated(row):
        yield from turns
        return
    for turn, stated_turn in zip(turns, stated, strict=True):
        duration = stated_turn.number("duration_seconds")
        times = {"times"} if duration is not None else set[str]()
        yield replace(
            turn,
            duration_s=turn.duration_s if duration is None else duration,
            model_duration_s=_sum(stated_turn, "llm"),
            tool_duration_s=_sum(stated_turn, "tool"),
            guessed=turn.guessed - times,
        )


def _sum(latency: Fields, kind: str) -> float | None:
    """How long everything of a kind took below an invocation, at any depth."""
    below = latency.objects("children")
    for child in below:  # grows on the way
        below += child.objects("children")
    stated = [
        duration for child in below if child.text("type") == kind if (duration := child.number("duration_seconds"))
    ]
    return sum(stated) if stated else None
