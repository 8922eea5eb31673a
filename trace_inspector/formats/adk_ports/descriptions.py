"""Descriptions: `descriptions`, what tools are declared to a model, and what metrics are said to measure.

Tools as Gemini, OpenAI, Anthropic and MCP declare them; metrics as google-adk's server lists them, and as prompts of
judges beside each other. All is shown: nothing is run, and no metric of a description judges anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.trace import Agent
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.common.format import Implementation, Source

_LISTS = ("function_declarations", "tools", "metrics_info", "metrics")
_OF_A_METRIC = ("metric_name", "metric_value_info", "prompt_template", "metric_prompt_template")
_DEEPEST = 4


def read(source: Source) -> Iterator[Item]:
    """One suite without cases: the tools as those of an agent, tools and metrics each under its name."""
    report = Report()
    value = source.value
    whole = report.bounded_list(value, "") if isinstance(value, list) else [fields_of(value, "")]
    entries = [entry for fields in whole for entry in _entries(fields, report, 0)]
    tools: list[Fields] = []
    extras: list[Extra] = []
    for number, entry in enumerate(entries, 1):
        is_metric = any(entry.key(name) is not None for name in _OF_A_METRIC)
        tools += [] if is_metric else [entry]
        extras.append(Extra(_title(entry, "metric" if is_metric else "tool", number), entry.value, entry.place))
    name = source.stem or "descriptions"
    yield Suite(
        name,
        agents=(Agent(name, tools=tuple(tool.value for tool in tools), place=tools[0].place),) if tools else (),
        extras=tuple(extras),
        place=source.place,
    )
    if tools:
        yield Holds("tools", len(tools))
    if len(extras) > len(tools):
        yield Holds("metrics", len(extras) - len(tools))
    yield from report.drain()


def _entries(fields: Fields, report: Report, depth: int) -> Iterator[Fields]:
    """The declarations in lists of lists, or the one that this is."""
    listed = next((name for name in _LISTS if isinstance(fields.get(name), list)), None)
    if listed is None or depth == _DEEPEST:
        yield fields
        return
    for entry in report.bounded(fields, listed):
        yield from _entries(entry, report, depth + 1)


def _title(entry: Fields, kind: str, number: int) -> str:
    inner = entry.object("function") or entry
    name = inner.text("name") or inner.text("metric_name") or f"{number}"
    return f"{kind}: {name}"


IMPLEMENTATION = Implementation(read=read)
