"""Criteria that a case or a turn states for itself, as JSON; beside it the way to those of the suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange, Judged
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.field import GoldenField, Kind
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.golden.fields.form_section import FormSection
from trace_inspector.views.widgets.controls import Button, ButtonKind

_HINT = 'None. Write them by metric: {"…": {"threshold": 1}}'
_PROBE: Json = {"ces_semantic_similarity": {"threshold": 2.0}}
Owner = Callable[[Case], "Case | Turn | None"]


class CriteriaSection(FormSection):
    """The form, and a button that opens the editor of criteria."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, criteria_fields, _told)
        self.box.addWidget(
            Button(
                look,
                tr("Open the criteria of the suite…"),
                ButtonKind.LINK,
                clicked=lambda: self.wanted.emit(lambda desk: desk.perform("edit-criteria")),
            )
        )


def make_criteria(look: Look, _context: GoldenContext) -> CriteriaSection:
    """The section."""
    return CriteriaSection(look)


def criteria_fields(context: GoldenContext) -> Sequence[GoldenField]:
    """Of the case, and of the turn where one is chosen."""
    fields = [_field("criteria-case", tr("For the case"), lambda case: case)]
    if context.index is not None:
        fields.append(_field("criteria-turn", tr("For this turn"), _turn(context.index), _turn(0)))
    return fields


def _told(context: GoldenContext) -> str:
    stated = [*context.case.criteria, *(context.turn.criteria if context.turn is not None else ())]
    names = ", ".join(dict.fromkeys(one.metric for one in stated if not one.told_only))
    return one_line(tr("overrules {0}").format(names), 160) if names else tr("none of its own")


def _turn(index: int) -> Owner:
    return lambda case: case.turns[index] if index < len(case.turns) else None


def _field(name: str, label: str, owner: Owner, first: Owner | None = None) -> GoldenField:
    def value(case: Case) -> Json | Absent:
        found = owner(case)
        stated = [one for one in found.criteria if not one.told_only] if found is not None else []
        return {one.metric: _stated(one) for one in stated} if stated else ABSENT

    def change(case: Case, said: Json | Absent) -> Sequence[GoldenChange]:
        found = owner(case)
        named = said.items() if isinstance(said, dict) else ()
        return [Judged(found.place, tuple(_meant(*one) for one in named))] if found is not None else []

    probed = _field(name, label, first) if first is not None else None
    step = tr("Change the criteria of the golden")
    return GoldenField(name, label, Kind.OBJECT, step, value, change, _PROBE, _HINT, probed=probed)


def _stated(one: Criterion) -> JsonObject:
    return {**({"threshold": one.threshold} if one.threshold is not None else {}), **one.options}


def _meant(metric: str, said: Json) -> Criterion:
    """A number alone is a threshold."""
    if not isinstance(said, dict):
        said = {"threshold": said}
    number = said.get("threshold")
    stated = float(number) if isinstance(number, int | float) and not isinstance(number, bool) else None
    return Criterion(metric, stated, {name: value for name, value in said.items() if name != "threshold"})
