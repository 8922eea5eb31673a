"""agent-eval's metric files: each template as a criterion of `judge_prompt`, as far as its values are known here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from trace_inspector.core.finding import Finding, info, warning
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, JsonObject
from trace_inspector.formats.agent_eval.checks import check_stated
from trace_inspector.formats.agent_eval.schemas import METRICS
from trace_inspector.formats.agent_eval.verdicts import OWN, reported_name
from trace_inspector.formats.common.fields import Fields, Report, fields_of, number_of
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.common.judge_prompts import PROMPT, doubled, filled, placeholders

# What of a row stands for which value of a prompt; a column inside another is written COLUMN:FIELD.
_VALUES: Mapping[str, str] = {
    "request": "user",
    "user_inputs": "user",
    "prompt": "user",
    "response": "answer",
    "final_response": "answer",
    "trace_summary": "calls",
    "session_trace": "calls",
    "extracted_data:tool_interactions": "calls",
    "extracted_data:system_instruction": "instructions",
    "extracted_data:tool_declarations": "tools",
    "extracted_data:conversation_history": "history",
    "reference_data:reference_tool_interactions": "golden_calls",
    "reference_data:reference_trajectory": "golden_calls",
    "reference_data:reference_response": "golden_answer",
}


def read_metrics(fields: Fields, source: Source) -> Iterator[Item]:
    """The criteria in their order."""
    report = Report()
    check_stated(fields, METRICS, report)
    listed = fields.object("metrics") or Fields({}, fields.pointer("metrics"))
    items = []
    for name, raw in listed.value.items():
        source.tick()
        items.append(_criterion(name, fields_of(raw, join(listed.place, name)), report))
    yield Criteria(tuple(items), source.name)
    yield Holds("criteria", len(items))
    yield from report.drain()


def _criterion(name: str, metric: Fields, report: Report) -> Criterion:
    managed = metric.text("managed_metric_name") or ""
    if managed or metric.get("is_managed") is True:
        message = (
            f"“{name}” is the metric {managed or 'of that name'} of Vertex AI, which only the service can compute; "
            "it is listed but not imitated."
        )
        report.add(info("managed-metric", message, metric.place))
        return Criterion(managed or name, options=metric.value, place=metric.place)
    template = metric.text("template")
    if template is None:
        if name not in OWN:
            report.add(warning("no-template", f"“{name}” has no template, so no judge can be asked.", metric.place))
        return Criterion(reported_name(name), place=metric.place)
    mapped = _Mapping.of(metric)
    report.take(_notes(name, metric, mapped))
    if mapped.unknown:
        return Criterion(name, place=metric.place)
    low, high = _range(name, metric, report)
    options: JsonObject = {
        "prompt": filled(template, mapped.texts, low, high),
        "field": "score",
        "range": [low, high],
    }
    return Criterion(f"{PROMPT}:{name}", options=options, place=metric.place)


def _notes(name: str, metric: Fields, mapped: _Mapping) -> Iterator[Finding]:
    if mapped.unknown:
        named = ", ".join(f"“{agent}”" for agent in mapped.unknown)
        message = f"The template of “{name}” names {named}, for which there is no value; the criterion is not judged."
        yield warning("unknown-placeholder", message, metric.pointer("dataset_mapping"))
    agents = metric.get("agents")
    if isinstance(agents, list) and agents:
        named = ", ".join(agent for agent in agents if isinstance(agent, str))
        yield info(
            "for-agents", f"“{name}” is meant for {named} only; here it judges every turn.", metric.pointer("agents")
        )


class _Mapping(Struct, frozen=True):
    """What each placeholder of a template stands for, as text with values of ours; those that stand for nothing."""

    texts: Mapping[str, str]
    unknown: tuple[str, ...]

    @classmethod
    def of(cls, metric: Fields) -> _Mapping:
        stated = metric.object("dataset_mapping")
        texts: dict[str, str] = {}
        for placeholder, raw in (stated.value if stated else {}).items():
            text = _text(Fields(raw if isinstance(raw, dict) else {"source_column": raw}, ""))
            if text is not None:
                texts[placeholder] = text
        named = placeholders(metric.text("template") or "")
        for placeholder in named:
            if placeholder not in texts and (value := _VALUES.get(placeholder)):
                texts[placeholder] = f"{{{value}}}"
        return cls(texts, tuple(name for name in named if name not in texts))


def _text(mapping: Fields) -> str | None:
    """One column as a value, or a small template of several."""
    column = mapping.text("source_column")
    if column is not None:
        value = _VALUES.get(column)
        return None if value is None else f"{{{value}}}"
    template, columns = mapping.text("template"), mapping.get("source_columns")
    if template is None or not isinstance(columns, list):
        return None
    pieces = re.split(r"\{([\w:.]+)\}", template)
    if not all(piece in _VALUES for piece in pieces[1::2]):
        return None
    return "".join(f"{{{_VALUES[piece]}}}" if index % 2 else doubled(piece) for index, piece in enumerate(pieces))


def _range(name: str, metric: Fields, report: Report) -> tuple[float, float]:
    """From the least to the greatest score; 0 to 1 where none is stated."""
    stated = metric.get("score_range")
    if isinstance(stated, dict):
        low, high = number_of(stated.get("min")), number_of(stated.get("max"))
    elif isinstance(stated, list) and len(stated) == 2:
        low, high = number_of(stated[0]), number_of(stated[1])
    else:
        low = high = None
    if low is not None and high is not None and low < high:
        return low, high
    if stated is not ABSENT and stated is not None:
        message = (
            f"The range of “{name}” does not go from a number to a greater one; 0 to 1 is used. State “min” and "
            "“max”."
        )
        report.add(warning("no-range", message, metric.pointer("score_range")))
    return 0.0, 1.0
