"""Ragas: `ragas`, rows of a dataset or of results, in the names of today and in those before version 0.2.

In tables lists stand as Python writes them: they are read as texts between quotation marks, nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, ToolResult
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status
from trace_inspector.formats.common.chat_flow import ChatFlow
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report, number_of, objects_in
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.eval_tools.stated_texts import words_in
from trace_inspector.formats.writing.unique_names import UniqueNames

_ASKED = ("user_input", "question")
_ANSWERED = ("response", "answer")
_RETRIEVED = ("retrieved_contexts", "contexts")
_REFERENCE = ("reference", "ground_truth", "ground_truths")
_READ = (*_ASKED, *_ANSWERED, *_RETRIEVED, *_REFERENCE)
# Numbers that are no scores.
_NO_METRICS = (
    "id",
    "index",
    "row",
    "episode_done",
    "evolution_type",
    "synthesizer_name",
    "persona_name",
    "query_style",
)
# What the numbers of rows are called that data frames write first, under no name of their own.
_NUMBERED = re.compile(r"column \d+'*|Unnamed: \d+")
# A text as Python writes it in a list, with what follows it: one after the other, so that none is looked for twice.
_TEXT = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\")\s*([,\]])", re.DOTALL)
_ESCAPED = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U000[0-9a-fA-F]{5}|.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}


def read(source: Source) -> Iterator[Item]:
    """Each row that has an answer as a conversation with its scores, each row as a case."""
    report, counts = Report(), RecordCounts()
    value = source.value
    listed = report.bounded_list(value, source.place) if isinstance(value, list) else [Fields({}, "")]
    if isinstance(value, dict):
        listed = [Fields(value, source.place)]
    suite, names = source.stem or "ragas", UniqueNames([], "row")
    goldens: list[Case] = []
    for number, row in enumerate(listed, 1):
        source.tick()
        asked = _first(row, _ASKED)
        if asked is None:
            counts.unknown("row without a question", row.place)
            continue
        counts.understood()
        identity = names.take(f"row {number}", row.place)
        turns = list(_turns(row, asked))
        metrics = tuple(_metrics(row))
        goldens.append(_golden(row, identity, suite, turns))
        if _first(row, _ANSWERED) is None and not metrics and len(turns) == 1 and not turns[0].events:
            continue
        yield Trace(identity, case_id=identity, suite_id=suite, place=row.place)
        yield from turns
        if metrics:
            yield CaseVerdict(
                case_id=identity,
                suite_id=suite,
                trace_id=identity,
                status=Status.INFORMATIONAL,
                metrics=metrics,
                golden_place=row.place,
                trace_place=row.place,
                provenance=Provenance.DERIVED,
            )
    yield Suite(suite, cases=tuple(goldens), place=source.place)
    yield counts.finding()
    yield from report.drain()


def _turns(row: Fields, asked: str) -> Iterator[Turn]:
    """The question, what was retrieved and the answer; or all messages of a conversation."""
    stated = row.get(asked)
    seen = from_text(stated) if isinstance(stated, str) else stated
    messages = objects_in(seen, row.pointer(asked)) if isinstance(seen, list) else []
    if messages:
        chat = ChatFlow()
        for message in messages:
            yield from chat.message(message)
        yield from chat.flow.finish()
        return
    retrieved, answered = _first(row, _RETRIEVED), _first(row, _ANSWERED)
    answer = words_in(row, answered) if answered is not None else ()
    events: tuple[Event, ...] = ()
    if retrieved is not None and (texts := texts_of(row, retrieved)):
        place = row.pointer(retrieved)
        events = (Event("retriever", (ToolResult(retrieved, texts, place=place),), "tool", place=place),)
    yield Turn(
        index=0,
        user=words_in(row, asked),
        events=events,
        final_response=answer or None,
        final_author="assistant" if answer else "",
        steps=Steps.EVENTS if events else Steps.ABSENT,
        place=row.place,
    )


def _golden(row: Fields, identity: str, suite: str, turns: list[Turn]) -> Case:
    reference = _first(row, _REFERENCE)
    expected: tuple[Part, ...] = _reference(row, reference) if reference is not None else ()
    asked = turns[-1].user if turns else ()
    turn = Turn(0, user=asked, final_response=expected or None, place=row.place)
    scores = [metric.metric for metric in _metrics(row)]
    extras = stated_extras(row, *_READ, *scores)
    return Case(identity, suite, turns=(turn,), extras=extras, place=row.place)


def _reference(row: Fields, name: str) -> tuple[Part, ...]:
    """The answer that is true; before version 0.1 there could be several, of which the first counted."""
    listed = row.get(name)
    if isinstance(listed, list) and listed and isinstance(listed[0], str):
        return words_in(Fields({name: listed[0]}, row.place), name)
    return words_in(row, name)


def _metrics(row: Fields) -> Iterator[MetricVerdict]:
    """Every other column of numbers is a score; a score alone neither passes nor fails."""
    for name, value in row.value.items():
        number = number_of(value)
        is_other = name in (*_READ, *_NO_METRICS) or _NUMBERED.fullmatch(name) is not None
        if is_other or isinstance(value, bool) or number is None:
            continue
        yield MetricVerdict(name, number, Status.INFORMATIONAL, provenance=Provenance.REPORTED)


def texts_of(row: Fields, name: str) -> list[Json]:
    """The texts of a list: as JSON, or as Python writes them into a cell; any other text is one."""
    value = row.get(name)
    if isinstance(value, list):
        return value
    if not isinstance(value, str) or not value:
        return []
    seen = from_text(value)
    if isinstance(seen, list):
        return seen
    return _texts_of_python(value) or [value]


def _texts_of_python(cell: str) -> list[Json]:
    """The texts of a list of nothing else; none where the cell is anything else."""
    texts: list[Json] = []
    offset = 1 if cell.startswith("[") else len(cell)
    while found := _TEXT.match(cell, offset):
        texts.append(_plain(found[1] if found[1] is not None else found[2]))
        offset = found.end()
        if found[3] == "]":
            break
    return texts if offset == len(cell) else []


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: _unescaped(found[1]), text)


def _unescaped(code: str) -> str:
    return chr(int(code[1:], 16)) if len(code) > 1 else _LETTERS.get(code, "" if code == "\n" else code)


def _first(row: Fields, names: tuple[str, ...]) -> str | None:
    """The first of these columns that holds something."""
    return next((name for name in names if row.value.get(name) not in (None, "", [])), None)


IMPLEMENTATION = Implementation(read=read)
