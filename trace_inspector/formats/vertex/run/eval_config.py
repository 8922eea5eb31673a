"""The configuration of agents-cli, `eval_config.yaml`: `agents-cli-config`, which metrics judge its datasets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, JsonObject
from trace_inspector.formats.common.extras import report_unread
from trace_inspector.formats.common.fields import Fields, Report, fields_of, kind_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.judge_prompts import PROMPT, filled, placeholders

TO_RUN, CUSTOM = "metrics_to_run", "custom_metrics"
# What agents-cli puts where a template has a name in braces. The whole trace is what was asked, called and answered.
_VALUES = {
    "prompt": "{user}",
    "response": "{answer}",
    "reference": "{golden_answer}",
    "conversation_history": "{history}",
    "agent_data": "{history}\n\n{user}\n\n{calls}\n\n{answer}",
}
_FUNCTIONS = ("custom_function", "custom_function_file")
_DEFINED_BY = ("prompt_template", *_FUNCTIONS)
# Layouts of people's own under the same name: metrics in words, by name or in a list. agents-cli runs none of them.
_BY_NAME, _IN_A_LIST = "metrics", "eval_metrics"
_KNOWN = frozenset({TO_RUN, CUSTOM})
# The range of a score stands in the words of the template alone: “on a scale of 1 to 5”, “between 1 and 5”, “0-10”.
_RANGE = re.compile(r"\b(\d{1,3})\s*(?:to|and|-|–|through)\s*(\d{1,3})\b")
_ABOUT_A_RANGE = re.compile(r"scale|score|rat(?:e|ing)|between|from", re.IGNORECASE)
_BEFORE_A_RANGE_CHARS = 60
_USUAL_RANGE = (1.0, 5.0)


def read(source: Source) -> Iterator[Item]:
    """The metrics that are run, in their order; what is defined and not run is named."""
    fields = fields_of(source.value, "")
    report = Report()
    defined: dict[str, Fields] = {}
    for metric in report.bounded(fields, CUSTOM):
        source.tick()
        name = metric.text("name")
        if not name:
            report.add(
                error("no-name", "This metric has no name, so it cannot be run; give it a “name”.", metric.place)
            )
        elif name in defined:
            report.add(
                warning("duplicate-id", f"“{one_line(name, 60)}” is defined twice; the first counts.", metric.place)
            )
        else:
            defined[name] = metric
    items = [_criterion(name, place, defined, report) for name, place in _to_run(fields, report)]
    in_words, holder = _in_words(fields, report)
    items += in_words
    listed = {name for name, _place in _to_run(fields, Report())}
    for name, metric in defined.items():
        if name not in listed:
            message = f"“{one_line(name, 60)}” is off: it is defined, but not listed under “{TO_RUN}”."
            report.add(info("metric-off", message, metric.place))
    report_unread(fields, _KNOWN | {holder}, report)
    yield Criteria(tuple(items), source.name)
    yield Holds("criteria", len(items))
    yield from report.drain()


def _in_words(fields: Fields, report: Report) -> tuple[list[Criterion], str]:
    """Metrics that are only described, and the key that they stand under; an empty one where there are none."""
    named = fields.object(_BY_NAME)
    entries: list[tuple[str, Fields]] = []
    if named is not None:
        entries = [
            (name, Fields(value, join(named.place, name)))
            for name, value in named.value.items()
            if isinstance(value, dict)
        ]
    holder = _BY_NAME if named is not None else _IN_A_LIST
    for metric in report.bounded(fields, _IN_A_LIST):
        entries.append((metric.text("name") or f"metric {len(entries) + 1}", metric))
    if not entries:
        return [], ""
    message = (
        f"“{holder}” describes metrics in words, a layout that agents-cli does not run; they are listed, not judged. "
        f"List judges with a “prompt_template” under “{CUSTOM}” to have them asked."
    )
    report.add(info("metric-in-words", message, fields.pointer(holder)))
    return [Criterion(name, options=_beside_name(metric), place=metric.place) for name, metric in entries], holder


def _to_run(fields: Fields, report: Report) -> Iterator[tuple[str, str]]:
    """The names that are listed, each once, with their places."""
    listed = fields.get(TO_RUN)
    place = fields.pointer(TO_RUN)
    if listed is not ABSENT and not isinstance(listed, list):
        report.add(error("wrong-type", f"“{TO_RUN}” should be a list of names.", place))
    seen: set[str] = set()
    for index, name in enumerate(listed if isinstance(listed, list) else ()):
        if not isinstance(name, str):
            message = f"The name of a metric should be a text, not {kind_of(name)}."
            report.add(error("wrong-type", message, f"{place}/{index}"))
        elif name not in seen:
            seen.add(name)
            yield name, f"{place}/{index}"


def _criterion(name: str, place: str, defined: dict[str, Fields], report: Report) -> Criterion:
    metric = defined.get(name)
    shown = one_line(name, 60)
    if metric is None:
        message = (
            f"“{shown}” is a metric of Vertex AI, which only the service can compute; it is listed but not imitated."
        )
        report.add(info("managed-metric", message, place))
        return Criterion(name, place=place)
    template = metric.text(_DEFINED_BY[0])
    if template is not None:
        return _judged(name, metric, template, report)
    by = next((key for key in _FUNCTIONS if metric.text(key) is not None), "")
    if by:
        report.add(
            info("function-not-run", f"“{shown}” is a function; it is shown and never run.", metric.pointer(by))
        )
    else:
        message = f"“{shown}” has none of {', '.join(f'“{key}”' for key in _DEFINED_BY)}, so nothing can be asked."
        report.add(warning("no-template", message, metric.place))
    return Criterion(name, options=_beside_name(metric), place=metric.place)


def _judged(name: str, metric: Fields, template: str, report: Report) -> Criterion:
    shown = one_line(name, 60)
    unknown = [placeholder for placeholder in placeholders(template) if placeholder not in _VALUES]
    if unknown:
        named = ", ".join(f"“{one_line(placeholder, 60)}”" for placeholder in unknown[:10])
        message = (
            f"The template of “{shown}” names {named}, for which there is no value; the criterion is not judged."
        )
        report.add(warning("unknown-placeholder", message, metric.pointer("prompt_template")))
        return Criterion(name, options=_beside_name(metric), place=metric.place)
    stated = range_in(template)
    if stated is None:
        message = f"The template of “{shown}” states no range of scores; 1 to 5 is used, as agents-cli's own have it."
        report.add(info("guessed-range", message, metric.pointer("prompt_template")))
    if metric.text("judge_model"):
        message = f"“{shown}” names the judge it was written for; here the judge that you choose is asked."
        report.add(info("other-judge", message, metric.pointer("judge_model")))
    low, high = stated or _USUAL_RANGE
    options: JsonObject = {
        "prompt": filled(template, _VALUES, low, high),
        "field": "score",
        "range": [low, high],
    }
    return Criterion(f"{PROMPT}:{name}", options=options, place=metric.place)


def range_in(template: str) -> tuple[float, float] | None:
    """The first range of numbers in a template that the words before call a scale or a score."""
    for match in _RANGE.finditer(template):
        low, high = float(match[1]), float(match[2])
        before = template[max(0, match.start() - _BEFORE_A_RANGE_CHARS) : match.start()]
        if low < high and _ABOUT_A_RANGE.search(before):
            return low, high
    return None


def _beside_name(metric: Fields) -> JsonObject:
    return {key: value for key, value in metric.value.items() if key != "name"}


IMPLEMENTATION = Implementation(read=read)
