"""Criteria that a case or a turn states for itself, as JSON, and a button that opens those of the suite."""

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
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.form_section import FormSection
from trace_inspector.views.widgets.controls import Button, ButtonKind

_HINT = 'None. Write them by metric: {"…": {"threshold": 1}}'
_PROBE: Json = {"ces_semantic_similarity": {"threshold": 2.0}}
Owner = Callable[[Case], "Case | Turn | None"]


class CriteriaSection(FormSection):
    """The form, and a button that opens the editor of criteria."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, criteria_fields, _summary)
        self.box.addWidget(
            Button(
                theme,
                tr("Open the criteria of the suite…"),
                ButtonKind.LINK,
                clicked=lambda: self.desk_requested.emit(lambda desk: desk.perform("edit-criteria")),
            )
        )


def make_criteria(theme: Theme, _context: GoldenContext) -> CriteriaSection:
    """The section."""
    return CriteriaSection(theme)


def criteria_fields(context: GoldenContext) -> Sequence[GoldenField]:
    """Of the case, and of the turn where one is chosen."""
    fields = [_field("criteria-case", tr("For the case"), lambda case: case)]
    if context.index is not None:
        fields.append(_field("criteria-turn", tr("For this turn"), _turn(context.index), _turn(0)))
    return fields


def _summary(context: GoldenContext) -> str:
    stated = [*context.case.criteria, *(context.turn.criteria if context.turn is not None else ())]
    names = ", ".join(dict.fromkeys(criterion.metric for criterion in stated if not criterion.told_only))
    return one_line(tr("overrides {0}").format(names), 160) if names else tr("none of its own")


def _turn(index: int) -> Owner:
    return lambda case: case.turns[index] if index < len(case.turns) else None


def _field(name: str, label: str, owner: Owner, first: Owner | None = None) -> GoldenField:
    def value(case: Case) -> Json | Absent:
        target = owner(case)
        stated = [criterion for criterion in target.criteria if not criterion.told_only] if target is not None else []
        return {criterion.metric: _stated(criterion) for criterion in stated} if stated else ABSENT

    def change(case: Case, written: Json | Absent) -> Sequence[GoldenChange]:
        target = owner(case)
        named = written.items() if isinstance(written, dict) else ()
        return [Judged(target.place, tuple(_meant(*item) for item in named))] if target is not None else []

    probed = _field(name, label, first) if first is not None else None
    step = tr("Change the criteria of the golden")
    return GoldenField(name, label, Kind.OBJECT, step, value, change, _PROBE, _HINT, probed=probed)


def _stated(criterion: Criterion) -> JsonObject:
    return {**({"threshold": criterion.threshold} if criterion.threshold is not None else {}), **criterion.options}


def _meant(metric: str, written: Json) -> Criterion:
    """A number alone is a threshold."""
    if not isinstance(written, dict):
        written = {"threshold": written}
    number = written.get("threshold")
    stated = float(number) if isinstance(number, int | float) and not isinstance(number, bool) else None
    return Criterion(metric, stated, {name: value for name, value in written.items() if name != "threshold"})
