"""The configuration of agentevals: `agentevals-config`, which evaluators judge a run."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import error, info
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.common.extras import report_unread
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.common.format import Implementation, Source

_TRAJECTORY = "tool_trajectory_avg_score"
_WHOLE = ("eval_set", "judge_model", "threshold", "trajectory_match_type", "trace_format", "evaluators")
_OF_A_BUILTIN = ("name", "type", "threshold", "judge_model")


def read(source: Source) -> Iterator[Item]:
    """The evaluators in their order; those that are programs are never run."""
    fields = fields_of(source.value, "")
    report = Report()
    items = []
    for evaluator in report.bounded(fields, "evaluators"):
        source.tick()
        name = evaluator.text("name")
        if not name:
            report.add(error("no-name", "This evaluator has no name; give it a “name”.", evaluator.place))
            continue
        items.append(_criterion(name, evaluator, fields, report))
    report_unread(fields, _WHOLE, report)
    yield Criteria(tuple(items), source.name)
    yield Holds("criteria", len(items))
    yield from report.drain()


def _criterion(name: str, evaluator: Fields, whole: Fields, report: Report) -> Criterion:
    threshold = evaluator.number("threshold")
    if evaluator.text("type") == "builtin":
        match_type = whole.text("trajectory_match_type")
        options: JsonObject = {"match_type": match_type} if match_type and name == _TRAJECTORY else {}
        stated = threshold if threshold is not None else whole.number("threshold")
        return Criterion(name, stated, options, evaluator.place)
    kind = one_line(evaluator.text("type") or "other", 40)
    message = f"“{one_line(name, 60)}” is an evaluator of the type “{kind}”; it is shown and never run."
    report.add(info("function-not-run", message, evaluator.place))
    beside = {key: value for key, value in evaluator.value.items() if key not in _OF_A_BUILTIN}
    return Criterion(name, threshold, beside, evaluator.place)


IMPLEMENTATION = Implementation(read=read)
