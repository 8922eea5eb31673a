"""What stands around google-adk: tRPC-Agent, agentevals, descriptions of tools and metrics; here the rows."""

from __future__ import annotations

from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import (
    All,
    AnyKey,
    Best,
    Either,
    Has,
    Holds,
    Keys,
    Not,
    OneObject,
    Rules,
    Some,
    Surest,
    Within,
    first,
)


def _metrics() -> Implementation:
    from trace_inspector.formats.adk_ports.trpc_metrics import IMPLEMENTATION

    return IMPLEMENTATION


def _config() -> Implementation:
    from trace_inspector.formats.adk_ports.agentevals_config import IMPLEMENTATION

    return IMPLEMENTATION


def _results() -> Implementation:
    from trace_inspector.formats.adk_ports.agentevals_results import IMPLEMENTATION

    return IMPLEMENTATION


def _descriptions() -> Implementation:
    from trace_inspector.formats.adk_ports.descriptions import IMPLEMENTATION

    return IMPLEMENTATION


_SYSTEM = "tRPC-Agent, agentevals"
_METRIC = All(Has("metric_name"), Has("criterion", "threshold", "evaluator_name"))
_METRICS = first("metrics", _METRIC)
_TRACE = All(Has("trace_id", "num_invocations", least=2), first("metrics", Has("metric_name")))
_TRACE_RESULT = All(Has("trace_id", "num_invocations", least=2), first("metric_results", Has("metric_name")))

_SCHEMA = Has("type", "properties", "$ref")
_DECLARED = Either(
    All(Holds("name", str), Within("parameters", _SCHEMA)),
    All(Holds("name", str), Within("parameters_json_schema", _SCHEMA)),
    All(Holds("name", str), Within("input_schema", _SCHEMA)),
    Within("function", All(Holds("name", str), Has("parameters", "description"))),
    Some("function_declarations", Holds("name", str)),
)
_METRIC_INFO = All(Holds("metric_name", str), Has("metric_value_info"))
_PROMPT = All(Holds("name", str), Either(Holds("prompt_template", str), Holds("metric_prompt_template", str)))
_SAID = Has("messages", "contents", "input", "agents", "cases", "spans", "steps")
_DESCRIBED = (
    (88, Either(Some("metrics_info", Has("metric_name")), _METRIC_INFO)),
    (70, Some("function_declarations", Holds("name", str))),
    # Whatever also holds what was said is a request or a log.
    (60, All(Either(Some("tools", _DECLARED), Some("metrics", _PROMPT)), Not(_SAID))),
    (55, Either(_DECLARED, _PROMPT)),
)

FORMATS: tuple[Format, ...] = (
    Format(
        name="trpc-metrics",
        title="tRPC-Agent metrics",
        system=_SYSTEM,
        short="metrics of tRPC-Agent",
        holds="criteria: metrics with thresholds, as far as ours measure the same",
        recognise=Surest(
            Best(Rules((86, _METRIC))),
            OneObject((86, _METRICS), (86, Within("evaluate", _METRICS))),
        ),
        load=_metrics,
        edits=True,
    ),
    Format(
        name="agentevals-config",
        title="agentevals configuration",
        system=_SYSTEM,
        short="configurations of agentevals",
        holds="criteria: evaluators with thresholds; code is shown and never run",
        recognise=OneObject((84, first("evaluators", All(Keys("name"), AnyKey("type"), Holds("name", str))))),
        load=_config,
        edits=True,
    ),
    Format(
        name="agentevals-results",
        title="agentevals results",
        system=_SYSTEM,
        short="results of agentevals",
        holds="reported scores, trace by trace",
        recognise=OneObject((88, first("traces", _TRACE)), (88, first("trace_results", _TRACE_RESULT))),
        load=_results,
    ),
    Format(
        name="descriptions",
        title="Descriptions of tools or metrics",
        system="ADK",
        short="declarations of tools and descriptions of metrics",
        holds="what tools are declared to a model, and what metrics are said to measure; nothing to judge",
        recognise=Surest(OneObject(*_DESCRIBED), Best(Rules(*_DESCRIBED))),
        load=_descriptions,
    ),
)
