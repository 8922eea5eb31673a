"""Phoenix: `phoenix`, its database with spans, annotations and experiments, and tables of spans with a column a name.

Each example of a data set is a case, each run of an experiment a conversation of it. What its evaluators did is shown
as one conversation; what they found stands at what they evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import info
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Span, SpanKind, Trace, Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import Fields, Report, fields_of, or_null
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import Attributes, flattened, from_text
from trace_inspector.formats.common.times import interval
from trace_inspector.formats.spans.call_contents import messages_in, spoken_in
from trace_inspector.formats.spans.conversation_builder import ConversationBuilder
from trace_inspector.formats.spans.dumps import span_of
from trace_inspector.formats.spans.spans import IDENTIFYING, Recorded, kind_of
from trace_inspector.formats.spans.turn_scores import TurnScores, score_of

_COLUMN = "attributes."
_EVALUATOR, _EVALUATORS = "EVALUATOR", "evaluators"
_BY_PEOPLE = "HUMAN"
_SIDES = (
    ("input.value", "gen_ai.input.messages", "llm.input_messages"),
    ("output.value", "gen_ai.output.messages", "llm.output_messages"),
)
_NO_ROW = Fields({}, "")
_OF_SPANS = ("span_annotations", "document_annotations")
_OF_SESSIONS = "project_session_annotations"

_Number: TypeAlias = int | float | str


class _ExperimentRun(Struct, frozen=True):
    """Which example of which data set a trace was the answer to, and in which experiment."""

    trace_id: str
    example: str
    dataset: str
    experiment: str


def read(source: Source) -> Iterator[Item]:
    """Each session as a conversation, else each trace."""
    report, counts, scores = Report(), RecordCounts(), TurnScores()
    builder = ConversationBuilder(source)
    value = source.value
    if isinstance(value, dict) and isinstance(value.get("traces"), list):
        tables = _Tables(Fields(value, ""), report)
        spans: Iterable[Recorded | None] = tables.recorded()
        cases = tables.suites()
        runs = tables.runs()
        tables.annotate(scores, runs)
        for row in report.bounded(Fields(value, ""), _OF_SESSIONS):  # a turn has scores, a whole session has none
            counts.unknown(_OF_SESSIONS, row.place)
    else:
        whole = report.bounded_list(value, "") if isinstance(value, list) else [fields_of(value, "")]
        examples = [row for row in whole if "example_id" in row.value]
        spans, runs = (_of_columns(row) for row in whole if "example_id" not in row.value), {}
        cases = (_table(examples, source.stem or "data set"),) if examples else ()
    for recorded in spans:
        source.tick()
        if recorded is None:
            counts.unknown("row without a span", "")
            continue
        builder.recording.take(recorded)
        counts.understood()
    taken = builder.recording.count
    by_trace = {run.trace_id: run for run in runs.values()}
    for item in scores.reported(builder.rest()):
        run = by_trace.get(item.id) if isinstance(item, Trace) else None
        yield _of_a_run(item, run) if isinstance(item, Trace) and run is not None else item
    yield from cases
    counts.understood(scores.count + len(runs) + sum(len(suite.cases) for suite in cases))
    if not taken and not cases:
        yield info("no-traces", "This file of Phoenix has no spans. Open one that was recorded with its tracing.")
    yield counts.finding()
    yield from report.drain()


def _of_a_run(trace: Trace, run: _ExperimentRun) -> Trace:
    return replace(trace, case_id=run.example, suite_id=run.dataset, candidate=run.experiment)


class _Tables:
    """The tables of its database, joined by the numbers of their rows."""

    def __init__(self, tables: Fields, report: Report) -> None:
        self._tables = tables
        self._report = report
        sessions = _by_number(self._rows("project_sessions"))
        self._traces = _by_number(self._rows("traces"))
        in_experiments = {row.text("trace_id") for row in self._rows("experiment_runs")}
        self._sessions = {
            number: _of(sessions, _number(row, "project_session_rowid")).text("session_id")
            for number, row in self._traces.items()
            if row.text("trace_id") not in in_experiments
        }
        self._span_rows = self._rows("spans")
        evaluators = {
            _number(row, "trace_rowid")
            for row in self._span_rows
            if row.text("span_kind") == _EVALUATOR and row.get("parent_id") is None
        }
        self._trace_ids = {
            number: _EVALUATORS if number in evaluators else row.text("trace_id") or row.place
            for number, row in self._traces.items()
        }

    def _rows(self, name: str) -> list[Fields]:
        return self._report.bounded(self._tables, name)

    def recorded(self) -> Iterator[Recorded | None]:
        """Every span, as other readers of spans know it."""
        for row in self._span_rows:
            number = _number(row, "trace_rowid")
            parsed = {name: from_text(or_null(row.get(name))) for name in ("attributes", "events")}
            raw: JsonObject = {**row.value, **parsed, "trace_id": self._trace_id(number)}
            recorded = span_of(raw, row.place)
            session = self._sessions.get(number) if number is not None else None
            if recorded is not None and session:
                recorded.identifying = {**recorded.identifying, "session.id": session}
            if recorded is not None and recorded.span.kind is SpanKind.MODEL:
                names = recorded.attributes.names()
                entries = {
                    name: (or_null(recorded.attributes.get(name)), recorded.attributes.pointer(name))
                    for name in names
                }
                recorded.attributes = Attributes.given(_with_messages(entries))
            yield recorded

    def _trace_id(self, number: _Number | None) -> str:
        return self._trace_ids.get(number, "") if number is not None else ""

    def annotate(self, scores: TurnScores, runs: dict[_Number, _ExperimentRun]) -> None:
        """What people, models and programs said of spans, documents, traces and runs of experiments."""
        spans = _by_number(self._span_rows)
        for name in _OF_SPANS:
            for row in self._rows(name):
                _annotate(scores, _of(spans, _number(row, "span_rowid")).text("span_id") or "", row)
        for row in self._rows("trace_annotations"):
            _annotate(scores, self._trace_id(_number(row, "trace_rowid")), row)
        for row in self._rows("experiment_run_annotations"):
            number = _number(row, "experiment_run_id")
            run = runs.get(number) if number is not None else None
            _annotate(scores, run.trace_id if run is not None else "", row)

    def runs(self) -> dict[_Number, _ExperimentRun]:
        """The runs of experiments by the number of their row."""
        datasets = _by_number(self._rows("datasets"))
        experiments = _by_number(self._rows("experiments"))
        found: dict[_Number, _ExperimentRun] = {}
        for identity, row in _by_number(self._rows("experiment_runs")).items():
            experiment = _of(experiments, _number(row, "experiment_id"))
            found[identity] = _ExperimentRun(
                row.text("trace_id") or "",
                _example(_number(row, "dataset_example_id")),
                _of(datasets, _number(experiment, "dataset_id")).text("name") or "",
                experiment.text("name") or "",
            )
        return found

    def suites(self) -> tuple[Suite, ...]:
        """The data sets, with the last revision of each example."""
        examples = _by_number(self._rows("dataset_examples"))
        last = _by_number(self._rows("dataset_example_revisions"), "dataset_example_id")
        cases: dict[_Number, list[Case]] = {}
        names = _by_number(self._rows("datasets"))
        for number, row in last.items():
            owner = _number(_of(examples, number), "dataset_id")
            if row.text("revision_kind") != "DELETE" and owner is not None and owner in names:
                cases.setdefault(owner, []).append(_case(number, row, names[owner].text("name") or ""))
        return tuple(
            Suite(names[owner].text("name") or "data set", cases=tuple(listed), place=names[owner].place)
            for owner, listed in cases.items()
        )


def _number(row: Fields, name: str) -> _Number | None:
    """The number of a row, which joins tables; None for what can be none."""
    number = row.get(name)
    return number if isinstance(number, int | float | str) else None


def _by_number(rows: Iterable[Fields], name: str = "id") -> dict[_Number, Fields]:
    """The rows by a number of theirs, of several with the same the last."""
    return {number: row for row in rows if (number := _number(row, name)) is not None}


def _of(rows: dict[_Number, Fields], number: _Number | None) -> Fields:
    """The row of that number; an empty one where there is none."""
    return rows.get(number, _NO_ROW) if number is not None else _NO_ROW


def _example(number: _Number | None) -> str:
    return f"example {number}"


def _case(number: _Number, row: Fields, suite: str) -> Case:
    said = {name: _texts(from_text(or_null(row.get(name))), row.pointer(name)) for name in ("input", "output")}
    turn = Turn(0, user=said["input"], final_response=said["output"] or None, place=row.place)
    return Case(_example(number), suite, turns=(turn,), place=row.place)


def _texts(value: Json, place: str) -> tuple[Text, ...]:
    """The words of an input or an output, else all of it as JSON."""
    if value in (None, "", {}, []):
        return ()
    only = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    words = spoken_in(value) or (only if isinstance(only, str) else json.dumps(value, ensure_ascii=False))
    return (Text(words, place),)


def _annotate(scores: TurnScores, about: str, row: Fields) -> None:
    position = row.get("document_position")
    name = row.text("name") or "annotation"
    metric = f"{name} (document {position + 1})" if isinstance(position, int) else name
    words = (row.text("label"), row.text("explanation"), row.text("error"))
    by = "" if row.text("annotator_kind") == _BY_PEOPLE else None
    if about:
        scores.add(about, score_of(metric, row.get("score"), words, by))


def _table(examples: list[Fields], name: str) -> Suite:
    """A data set as its page downloads it, with a column for each key of input, output and metadata."""
    cases = []
    for row in examples:
        said = {side: _texts(_columns(row, side), row.place) for side in ("input", "output")}
        turn = Turn(0, user=said["input"], final_response=said["output"] or None, place=row.place)
        cases.append(Case(row.text("example_id") or row.place, name, turns=(turn,), place=row.place))
    return Suite(name, cases=tuple(cases))


def _columns(row: Fields, side: str) -> JsonObject:
    return {
        column.removeprefix(f"{side}_"): from_text(value)
        for column, value in row.value.items()
        if column.startswith(f"{side}_") and value not in (None, "")
    }


def _of_columns(row: Fields) -> Recorded | None:
    """A span in a row with a column for each name, as tables of data frames have it."""
    entries: dict[str, tuple[Json, str]] = {}
    for column, stated in row.value.items():
        if column.startswith(_COLUMN) and stated not in (None, ""):  # other rows have something there
            for name, value, pointer in flattened({column.removeprefix(_COLUMN): from_text(stated)}):
                entries[name] = (value, f"{row.place}/{_COLUMN}{pointer[1:]}")
    identity = row.text("context.span_id") or row.text("span_id")
    if identity is None:
        return None
    name = row.text("name") or ""
    identifying = {key: entries[key][0] for key in IDENTIFYING & entries.keys()}
    if row.text("span_kind"):
        identifying.setdefault("openinference.span.kind", row.text("span_kind"))
    start_s, duration_s = interval(or_null(row.get("start_time")), or_null(row.get("end_time")), None)
    error = (row.text("status_message") or "error") if row.text("status_code") == "ERROR" else None
    kind, parent = kind_of(name, identifying), row.text("parent_id") or None
    span = Span(identity, name, kind, parent, start_s, duration_s, error, row.place)
    trace_id = row.text("context.trace_id") or row.text("trace_id") or ""
    entries = _with_messages(entries) if kind is SpanKind.MODEL else entries
    return Recorded(trace_id, span, Attributes.given(entries), identifying)


def _entries(attributes: Attributes) -> dict[str, tuple[Json, str]]:
    return {name: (or_null(attributes.get(name)), attributes.pointer(name)) for name in attributes.names()}


def _with_messages(entries: dict[str, tuple[Json, str]]) -> dict[str, tuple[Json, str]]:
    """With what was asked and answered, where that stands only in the input and output as a service has them."""
    for around, known, messages in _SIDES:
        stated, place = entries.get(around, (None, ""))
        if stated is None or any(name.startswith(messages) for name in entries):
            continue
        value = from_text(stated)
        found = messages_in(Fields(value, place)) if isinstance(value, dict) else None
        words = spoken_in(value)
        if found is not None or words is not None:
            entries[known] = found or (words, place)
    return entries


IMPLEMENTATION = Implementation(read=read)
