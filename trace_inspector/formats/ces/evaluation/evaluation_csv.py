"""CES's tables of goldens for uploading: `ces-golden-csv`. What rows do is not published, so each stands as it is."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Unknown
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source

_COLUMNS = ("display_name", "turn_index", "action_type")


class _Evaluation(Struct):
    """The rows of one evaluation."""

    name: str
    place: str
    extras: tuple[Extra, ...]
    turns: dict[str, list[Event]] = field(default_factory=dict)

    def case(self, suite_id: str) -> Case:
        """The rows by turn, in the order in which the turns first stand."""
        turns = tuple(
            Turn(index, id=number, events=tuple(events), steps=Steps.EVENTS, place=events[0].place)
            for index, (number, events) in enumerate(self.turns.items())
        )
        return Case(self.name, suite_id, turns, extras=self.extras, place=self.place)


def read(source: Source) -> Iterator[Item]:
    """One suite: a row with a display name opens an evaluation, and those that follow are its turns."""
    report = Report()
    stem = source.stem or "goldens"
    evaluations: list[_Evaluation] = []
    for row in report.bounded_list(source.value, source.place):
        source.tick()
        name = row.text("display_name")
        if name:
            evaluations.append(_Evaluation(name, row.place, extras_of(row, *_COLUMNS)))
        if evaluations:
            _take(row, evaluations[-1], report)
        else:
            message = "No row above has a display name, so this one belongs to no evaluation; it is left out."
            report.add(error("no-display-name", message, row.place))
    _report_duplicates(evaluations, report)
    message = "The meaning of the action types in such tables is not published, so every row is shown as it is."
    report.add(info("rows-as-they-stand", message, source.place))
    yield Suite(stem, cases=tuple(evaluation.case(stem) for evaluation in evaluations), place=source.place)
    yield from report.drain()


def _take(row: Fields, evaluation: _Evaluation, report: Report) -> None:
    """A row of a turn; the one that opens the evaluation need not be one."""
    number, action = (str(value) if (value := row.value.get(name)) is not None else "" for name in _COLUMNS[1:])
    if number and action:
        cells: JsonObject = {key: value for key, value in row.value.items() if value != "" and key not in _COLUMNS}
        part = Unknown(action, cells, row.place)
        evaluation.turns.setdefault(number, []).append(Event("", (part,), place=row.place))
    elif number or action or not row.text("display_name"):
        message = "A row that is no evaluation's first needs both “turn_index” and “action_type”; it is left out."
        report.add(warning("incomplete-row", message, row.place))


def _report_duplicates(evaluations: list[_Evaluation], report: Report) -> None:
    seen: dict[str, str] = {}
    for evaluation in evaluations:
        first = seen.setdefault(evaluation.name, evaluation.place)
        if first != evaluation.place:
            message = f"“{evaluation.name}” is also the evaluation at {first}; results cannot be told apart."
            report.add(warning("duplicate-id", message, evaluation.place))


IMPLEMENTATION = Implementation(read=read)
