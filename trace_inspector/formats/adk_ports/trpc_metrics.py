"""Metrics of tRPC-Agent, of Go and of Python: `trpc-metrics`, as criteria where ours measure the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from trace_inspector.core.finding import error, info
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.judge_prompts import PROMPT, filled, placeholders

_SHOWN_CHARS = 60
# What a variable of a template is bound to, by scope and field, and the value of ours.
_BOUND = {
    ("actual", "userContent"): "{user}",
    ("actual", "finalResponse"): "{answer}",
    ("expected", "finalResponse"): "{golden_answer}",
    ("expected", "userContent"): "{user}",
}
_ONE_SCORE = "single_score"
# What a comparison of calls may say beside their order that ours do not tell apart.
_FINER = ("onlyTree", "only_tree", "ignoreTree", "ignore_tree", "ignore")


def read(source: Source) -> Iterator[Item]:
    """The metrics in their order, each as the criterion that measures the same, else by its own name."""
    report = Report()
    items = []
    for metric in _listed(source, report):
        source.tick()
        name = metric.text("metric_name")
        if not name:
            report.add(error("no-name", "This metric has no name; give it a “metricName”.", metric.place))
            continue
        items.append(_criterion(name, metric, report))
    yield Criteria(tuple(items), source.name)
    yield Holds("criteria", len(items))
    yield from report.drain()


def _listed(source: Source, report: Report) -> list[Fields]:
    """Go has a list, Python an object around it; an optimiser's configuration has that under `evaluate`."""
    if isinstance(source.value, list):
        return report.bounded_list(source.value, source.place)
    fields = fields_of(source.value, source.place)
    return report.bounded(fields.object("evaluate") or fields, "metrics")


class _TrpcMetric(Struct, frozen=True):
    """One metric, and what is said of it."""

    name: str
    fields: Fields
    report: Report

    @property
    def shown(self) -> str:
        """Its name for a sentence."""
        return one_line(self.name, _SHOWN_CHARS)

    def criterion(self, ours: str, options: JsonObject) -> Criterion:
        """The criterion of ours; a finding names it where it is called otherwise."""
        if ours != self.name:
            message = f"“{self.shown}” is judged here as “{one_line(ours, _SHOWN_CHARS)}”."
            self.report.add(info("other-metric", message, self.fields.place))
        return Criterion(ours, self.fields.number("threshold"), options, self.fields.place)

    def alone(self) -> Criterion:
        """The metric under its own name, which none of ours measures."""
        message = f"“{self.shown}” is a metric of tRPC-Agent that none here measures; it is listed but not imitated."
        self.report.add(info("managed-metric", message, self.fields.place))
        return Criterion(self.name, self.fields.number("threshold"), place=self.fields.place)


def _criterion(name: str, fields: Fields, report: Report) -> Criterion:
    metric = _TrpcMetric(name, fields, report)
    stated = fields.object("criterion")
    for key, read_criterion in _CRITERIA.items():
        inner = stated.object(key) if stated is not None else None
        if inner is not None:
            return read_criterion(metric, inner)
    return metric.alone()


def _trajectory(metric: _TrpcMetric, stated: Fields) -> Criterion:
    ordered, part = stated.get("order_sensitive") is True, stated.get("subset_matching") is True
    match_type = "IN_ORDER" if ordered and part else "EXACT" if ordered else "ANY_ORDER"
    finer = []
    if not ordered and not part:
        finer.append("that there are no further calls")
    if stated.key("tool_strategy") or any(key in _FINER or _is_loose(key, value) for key, value in _members(stated)):
        finer.append("single values of arguments and results")
    if finer:
        message = f"“{metric.shown}” also compares {' and '.join(finer)}; here calls are compared as a whole."
        metric.report.add(info("compared-otherwise", message, stated.place))
    return metric.criterion("tool_trajectory_avg_score", {"match_type": match_type})


def _is_loose(key: str, value: Json) -> bool:
    return key in ("match_strategy", "matchStrategy", "match") and value != "exact"


def _members(stated: Fields) -> Iterator[tuple[str, Json]]:
    """What the strategy for all tools says of names, arguments and results."""
    for name in ("default_strategy", "default"):
        strategy = stated.object(name)
        for inner in strategy.value.values() if strategy is not None else ():
            yield from inner.items() if isinstance(inner, dict) else ()


def _answer(metric: _TrpcMetric, stated: Fields) -> Criterion:
    rouge = stated.object("rouge")
    if rouge is not None and rouge.text("rouge_type") == "rouge1" and rouge.text("measure") == "f1":
        return metric.criterion("response_match_score", {})
    return metric.alone()


def _judge(metric: _TrpcMetric, stated: Fields) -> Criterion:
    template = stated.object("template")
    if template is not None:
        return _template(metric, template)
    ours = _JUDGED.get(metric.fields.text("evaluator_name") or "") or _JUDGED.get(metric.name)
    if ours is None:
        return metric.alone()
    rubrics: list[Json] = [_rubric(rubric) for rubric in metric.report.bounded(stated, "rubrics")]
    return metric.criterion(ours, {"rubrics": rubrics} if rubrics else {})


def _rubric(rubric: Fields) -> Json:
    content = rubric.object("content")
    words = (content.text("text") if content is not None else None) or rubric.text("description") or ""
    return {"rubric_id": rubric.text("id") or "", "rubric_content": {"text_property": words}}


def _template(metric: _TrpcMetric, template: Fields) -> Criterion:
    """A prompt whose variables stand in double braces."""
    texts: dict[str, str] = {}
    for binding in metric.report.bounded(template, "variable_bindings"):
        bound = binding.object("source") or Fields({}, binding.place)
        value = _BOUND.get((bound.text("scope") or "", bound.text("field") or ""))
        if value is not None:
            texts[binding.text("template_variable") or ""] = value
    prompt = (template.text("prompt") or "").replace("{{", "{").replace("}}", "}")
    unknown = [name for name in placeholders(prompt) if name not in texts]
    if unknown or not texts or (template.text("response_scorer_name") or _ONE_SCORE) != _ONE_SCORE:
        return metric.alone()
    options: JsonObject = {"prompt": filled(prompt, texts, 0, 1), "field": "score", "range": [0, 1]}
    return metric.criterion(f"{PROMPT}:{metric.name}", options)


_CRITERIA: dict[str, Callable[[_TrpcMetric, Fields], Criterion]] = {
    "tool_trajectory": _trajectory,
    "final_response": _answer,
    "llm_judge": _judge,
}
_JUDGED = {
    "llm_final_response": "final_response_match_v2",
    "llm_rubric_response": "rubric_based_final_response_quality_v1",
    "llm_hallucinations": "hallucinations_v1",
}

IMPLEMENTATION = Implementation(read=read)
