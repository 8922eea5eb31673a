"""Requests of the criteria editor to a child: check the criteria, preview their file, save them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.criterion_form import MetricForm, Wrong
from trace_inspector.work.processes.child import Channel


class CheckCriteria(Struct, frozen=True):
    """Check edited criteria, with the file they came from. None only asks for the metrics."""

    criteria: Criteria | None = None
    path: str = ""


class CriteriaCheck(Struct, frozen=True):
    """Problems of the criteria; `text` is their file, `problem` why there is none."""

    forms: tuple[MetricForm, ...]
    usual: Criteria
    wrong: tuple[Wrong, ...] = ()
    text: str = ""
    problem: str = ""


class Saved(Struct, frozen=True):
    """The criteria are saved."""

    path: str


def criteria_service() -> Callable[[CheckCriteria], CriteriaCheck]:
    """In the child: loads the metrics once."""
    from trace_inspector.engine.criteria.rules import ADK_DEFAULTS
    from trace_inspector.flows.runs.criteria_editing import text_of, wrong_with
    from trace_inspector.flows.runs.criteria_forms import metric_forms

    forms = metric_forms()

    def look(asked: CheckCriteria) -> CriteriaCheck:
        if asked.criteria is None:
            return CriteriaCheck(forms, ADK_DEFAULTS)
        wrong = wrong_with(asked.criteria.items)
        try:
            text, problem = text_of(asked.criteria, Path(asked.path) if asked.path else None), ""
        except InspectorError as failure:
            text, problem = "", str(failure)
        return CriteriaCheck(forms, ADK_DEFAULTS, wrong, text, problem)

    return look


def save(channel: Channel, criteria: Criteria, source: str, target: str) -> None:
    """In the child: save the criteria atomically."""
    from trace_inspector.flows.runs.criteria_editing import save_criteria

    save_criteria(criteria, Path(source) if source else None, Path(target))
    channel.send(Saved(target))
