"""Runs of LangSmith: `langsmith`, as its clients send them in batches and as they are exported; each is a span.

A run is created in `post` and completed in `patch`: what stands in the later of them counts, each value at its place.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, Report, count_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import Attributes
from trace_inspector.formats.common.times import interval
from trace_inspector.formats.spans.call_contents import TOKENS, messages_in, model_in, tokens_in, usage_in
from trace_inspector.formats.spans.conversation_builder import ConversationBuilder
from trace_inspector.formats.spans.spans import Recorded
from trace_inspector.formats.spans.turn_scores import TurnScores, score_of

_KINDS = {"llm": SpanKind.MODEL, "tool": SpanKind.TOOL}
_NAMED_AGENT = "agent"
_BATCHES = ("post", "patch")
_LISTS = (*_BATCHES, "runs")
_SESSIONS = ("session_id", "thread_id", "conversation_id")
_BY_PEOPLE = "app"


class _StatedRun(Struct):
    """What is known of a run, by key, each value with its place."""

    place: str
    entries: dict[str, tuple[Json, str]] = field(default_factory=dict)

    def take(self, fields: Fields) -> None:
        """What another record says of it, where that says anything."""
        for key, value in fields.value.items():
            if key not in self.entries or value not in (None, {}, []):
                self.entries[key] = (value, join(fields.place, key))

    def get(self, name: str) -> Json:
        return self.entries.get(name, (None, ""))[0]

    def text(self, name: str) -> str | None:
        value = self.get(name)
        return value if isinstance(value, str) and value else None

    def object(self, name: str) -> Fields:
        value, place = self.entries.get(name, (None, self.place))
        return Fields(value if isinstance(value, dict) else {}, place)


def read(source: Source) -> Iterator[Item]:
    """Each trace as a turn of its thread, or by itself."""
    report, counts = Report(), RecordCounts()
    builder = ConversationBuilder(source)
    runs: dict[str, _StatedRun] = {}
    scores = TurnScores()
    if isinstance(source.value, dict) and any(name in source.value for name in _LISTS):
        _feedback(Fields(source.value, ""), report, scores)
    for fields, above in _records(source.value, report):
        source.tick()
        _feedback(fields, report, scores, _identity(fields))
        if not any(name in fields.value for name in ("id", "run_type", "dotted_order")):
            counts.unknown("record", fields.place)
            continue
        run = runs.setdefault(_identity(fields), _StatedRun(fields.place))
        run.take(fields)
        if above and run.text("parent_run_id") is None:
            run.entries["parent_run_id"] = (above, fields.place)
        counts.understood()
    roots = _roots(runs)
    threads = _threads(runs, roots)
    for identity, run in runs.items():
        source.tick()
        trace = run.text("trace_id") or roots[identity]
        builder.recording.take(_recorded(identity, trace, run, runs, threads))
    yield from scores.reported(builder.rest())
    counts.understood(scores.count)
    yield counts.finding()
    yield from report.drain()


def _records(value: Json, report: Report) -> Iterator[tuple[Fields, str]]:
    """Every record of a run, with the id of the run it stands in."""
    whole = (
        report.bounded_list(value, "")
        if isinstance(value, list)
        else [Fields(value, "")]
        if isinstance(value, dict)
        else []
    )
    for fields in whole:
        lists = [name for name in _LISTS if isinstance(fields.get(name), list)]
        for listed in [report.bounded(fields, name) for name in lists] if lists else [[fields]]:
            for run in listed:
                yield from _with_children(run, report)


def _with_children(top: Fields, report: Report) -> Iterator[tuple[Fields, str]]:
    waiting = [(top, "")]
    while waiting:
        run, above = waiting.pop()
        yield run, above
        waiting += [(child, _identity(run)) for child in reversed(report.bounded(run, "child_runs"))]


def _identity(run: Fields) -> str:
    """The id, else the end of the dotted order, which some clients state alone."""
    stated = run.text("id")
    ordered = (run.text("dotted_order") or "").rpartition(".")[2].partition("Z")[2]
    return stated or ordered or run.place


def _roots(runs: dict[str, _StatedRun]) -> dict[str, str]:
    """The run at the top of each; of a circle, one of its runs."""
    roots: dict[str, str] = {}
    for identity in runs:
        way: dict[str, None] = {}
        at = identity
        while at not in roots and at not in way:
            way[at] = None
            above = _above(at, runs)
            at = at if above is None else above
        root = roots.get(at, at)
        roots.update(dict.fromkeys(way, root))
    return roots


def _above(identity: str, runs: dict[str, _StatedRun]) -> str | None:
    """The run above: as stated, else as the dotted order says."""
    stated = runs[identity].text("parent_run_id")
    if stated is None:
        parts = (runs[identity].text("dotted_order") or "").split(".")
        stated = parts[-2].partition("Z")[2] if len(parts) > 1 else None
    return stated if stated in runs else None


def _threads(runs: dict[str, _StatedRun], roots: dict[str, str]) -> dict[str, str]:
    """The thread of each trace, where one of its runs states it."""
    threads: dict[str, str] = {}
    for identity, run in runs.items():
        metadata = run.object("extra").object("metadata") or Fields({}, "")
        thread = next((text for name in _SESSIONS if (text := metadata.text(name))), None)
        if thread is not None:
            threads.setdefault(run.text("trace_id") or roots[identity], thread)
    return threads


def _recorded(
    identity: str, trace: str, run: _StatedRun, runs: dict[str, _StatedRun], threads: dict[str, str]
) -> Recorded:
    above = _above(identity, runs)
    kind = _KINDS.get(run.text("run_type") or "", SpanKind.OTHER)
    name = run.text("name") or run.text("run_type") or ""
    if kind is SpanKind.OTHER and (above is None or _NAMED_AGENT in name.lower()):
        kind = SpanKind.RUN if above is None else SpanKind.AGENT
    start, took = interval(run.get("start_time"), run.get("end_time"), None)
    span = Span(identity, name, kind, above, start, took, run.text("error"), run.place)
    session = threads.get(trace)
    return Recorded(
        trace, span, Attributes.given(_attributes(run, kind, name)), {"session.id": session} if session else {}
    )


def _attributes(run: _StatedRun, kind: SpanKind, name: str) -> dict[str, tuple[Json, str]]:
    """What was recorded, by the names that other readers of spans know, each with its place."""
    if kind is SpanKind.TOOL:
        given: dict[str, tuple[Json, str]] = {"gen_ai.tool.name": (name, run.entries.get("name", ("", run.place))[1])}
        for key, known in (("inputs", "gen_ai.tool.call.arguments"), ("outputs", "gen_ai.tool.call.result")):
            if run.get(key) is not None:
                given[known] = _only_value(*run.entries[key])
        return given
    if kind not in (SpanKind.MODEL, SpanKind.RUN):
        return {"gen_ai.agent.name": (name, run.place)} if kind is SpanKind.AGENT else {}
    entries: dict[str, tuple[Json, str]] = {}
    for key, known in (("inputs", "gen_ai.input.messages"), ("outputs", "gen_ai.output.messages")):
        messages = messages_in(run.object(key))
        if messages is not None:
            entries[known] = messages
    if kind is SpanKind.MODEL:
        entries.update(_tokens(run))
        metadata = run.object("extra").object("metadata") or Fields({}, "")
        outputs = run.object("outputs")
        model = model_in(outputs, outputs.object("llm_output"), metadata, run.object("inputs"))
        if model is not None:
            entries["llm.model_name"] = model
    return entries


def _only_value(value: Json, place: str) -> tuple[Json, str]:
    """The input or output of a tool, taken out of the one key that LangChain puts around texts and results."""
    if isinstance(value, dict) and len(value) == 1:
        key = next(iter(value))
        if key in ("input", "output"):
            return value[key], join(place, key)
    return value, place


def _tokens(run: _StatedRun) -> Iterator[tuple[str, tuple[Json, str]]]:
    """As the answer states them, else the run itself."""
    stated = dict(tokens_in(usage_in(run.object("outputs"))))
    for known, names in TOKENS.items():
        name = next((one for one in names if count_of(run.get(one)) is not None), None)
        if known not in stated and name is not None:
            stated[known] = run.entries[name]
    yield from stated.items()


def _feedback(run_or_list: Fields, report: Report, scores: TurnScores, run: str = "") -> None:
    """What is said of a run, or in a list beside all of them, each of which names its run; in the app by people."""
    for stated in report.bounded(run_or_list, "feedback"):
        about, key = stated.text("run_id") or run, stated.text("key")
        if not about or not key:
            continue
        source = stated.object("feedback_source") or Fields({}, "")
        person = next((text for name in ("user_name", "user_id") if (text := source.text(name))), "")
        by = person if source.text("type") == _BY_PEOPLE else None
        scores.add(about, score_of(key, stated.get("score"), (stated.text("value"), stated.text("comment")), by))


IMPLEMENTATION = Implementation(read=read)
