"""What people said in the files of other systems, such as annotations in Langfuse, as labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.review.label import Answer, Label, Level, placed
from trace_inspector.core.review.label_lines import fitting
from trace_inspector.core.review.subjects import case_subject, turn_subject
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.documents.packing.packing import is_real_folder
from trace_inspector.flows.opening.given_files import Given, open_given, recorded_in
from trace_inspector.flows.review.label_files import LabelFiles, read_label_files
from trace_inspector.flows.review.label_tables import ENDING as TABLE

_RATER_CHARS = 80
_ANSWERS = {Status.PASSED: Answer.PASS, Status.FAILED: Answer.FAIL}


def read_given_labels(path: Path) -> LabelFiles:
    """The labels in a file or folder of labels, else what people said in a file of another system."""
    if is_real_folder(path) or path.suffix.lower() == TABLE:
        return read_label_files([path])
    of_lines = read_label_files([path])
    if of_lines.labels or not of_lines.findings:
        return of_lines
    try:
        given = open_given([path])
    except InspectorError:
        if path.suffix.lower() == ".jsonl":
            return of_lines
        raise
    labels = tuple(label for file in given for label in _of_file(file))
    if not labels:
        raise UsageError("It states nothing that people said of its conversations.", path=str(path))
    return LabelFiles(labels)


def _of_file(file: Given) -> Iterator[Label]:
    traces = {(recorded.trace.place, recorded.trace.id): recorded.trace for recorded in recorded_in(file)}
    for case in file.contents.reported:
        trace = traces.get((case.trace_place, case.trace_id or ""))
        if trace is not None and trace.turns:
            yield from _of_conversation(file, trace, case)
            yield from _of_turns(file, trace, case)


def _of_conversation(file: Given, trace: Trace, case: CaseVerdict) -> Iterator[Label]:
    """Scores of a conversation of one turn are about that turn."""
    is_turn = len(trace.turns) == 1
    level, subject = Level.CASE, case_subject(trace.turns)
    if is_turn:
        level, subject = Level.TURN, turn_subject(trace.turns[0])
    turn = trace.turns[0].index if is_turn else None
    yield from _labels(file, trace, case, case.metrics, Label(subject, level, "", None), turn)


def _of_turns(file: Given, trace: Trace, case: CaseVerdict) -> Iterator[Label]:
    turns = {turn.index: turn for turn in trace.turns}
    for verdict in case.turns:
        if verdict.index is not None and verdict.index in turns:
            label = Label(turn_subject(turns[verdict.index]), Level.TURN, "", None)
            yield from _labels(file, trace, case, verdict.metrics, label, verdict.index)


def _labels(
    file: Given, trace: Trace, case: CaseVerdict, metrics: Iterable[MetricVerdict], label: Label, turn: int | None
) -> Iterator[Label]:
    """What people said; where the file does not tell who it was, its format stands for them."""
    for metric in metrics:
        value = _value(metric)
        rater = one_line(metric.by, _RATER_CHARS) or file.contents.format
        made = replace(label, question=metric.metric, value=value, note=metric.reason, rater=rater)
        held = fitting(placed(made, file.path, case.case_id, trace.id, turn))
        if value is not None and held is not None:
            yield held


def _value(metric: MetricVerdict) -> Answer | float | None:
    """What a person said; an overrule of ours is one of its own run."""
    if metric.provenance is not Provenance.HUMAN or metric.overruled is not None:
        return None
    return _ANSWERS.get(metric.status, metric.score)
