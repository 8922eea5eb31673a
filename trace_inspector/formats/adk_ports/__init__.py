"""What stands around google-adk: tRPC-Agent, agentevals, descriptions of tools and metrics; here the rows."""

from __future__ import annotations

from trace_inspector.core.values.values import ABSENT
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import (
    All,
    Among,
    AnyKey,
    Best,
    Either,
    Has,
    Holds,
    Keys,
    OneObject,
    Only,
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


def _is_schema(fields: Fields) -> bool:
    """The schema of all parameters, which is that of an object; `dict` is what functions in Python are told with."""
    kind = fields.get("type")
    stated = isinstance(fields.get("properties"), dict) or isinstance(fields.get("$ref"), str)
    return kind in ("object", "OBJECT", "dict") or (kind is ABSENT and stated)


def _is_function(fields: Fields) -> bool:
    """With the schema of its parameters, or with a description where it has none: calls have values there."""
    if fields.value.get("parameters"):
        return Within("parameters", _is_schema)(fields)
    return fields.key("description") is not None


# No more keys than these: with any other, a declaration is part of a call, a request or a log, which say more.
_OF_A_TOOL = (
    "type", "name", "title", "description", "parameters", "parameters_json_schema", "input_schema", "strict",
    "response", "response_json_schema", "output_schema", "behavior", "annotations", "icons", "execution", "_meta",
    "cache_control", "input_examples", "defer_loading", "allowed_callers",
)  # fmt: skip
_BUILT_IN = (
    "google_search", "google_search_retrieval", "google_maps", "code_execution", "url_context", "retrieval",
    "computer_use", "enterprise_web_search", "max_uses", "allowed_domains", "blocked_domains", "user_location",
    "display_width_px", "display_height_px", "display_number", "search_context_size", "vector_store_ids",
    "max_num_results", "container",
)  # fmt: skip
_AROUND = (
    "tools", "metrics", "metrics_info", "function_declarations", "name", "description", "version", "title", "$schema",
    "next_cursor", "_meta",
)  # fmt: skip
_PROMPTS = ("prompt_template", "metric_prompt_template")
_OF_A_METRIC = (
    "name", "metric_name", "title", "description", "type", "version", "metric_value_info", *_PROMPTS,
    "system_instruction", "model", "judge_model", "criteria", "rating_rubric", "threshold",
)  # fmt: skip

_DECLARES = Some("function_declarations", Holds("name", str))
_DECLARED = Either(
    All(
        Only(*_OF_A_TOOL),
        Holds("name", str),
        Either(
            *(Within(name, _is_schema) for name in ("parameters", "parameters_json_schema", "input_schema")),
        ),
    ),
    All(
        Only("type", "function", "strict", "cache_control"),
        Within("function", All(Only(*_OF_A_TOOL), Holds("name", str), _is_function)),
    ),
    All(Only("function_declarations", *_BUILT_IN), _DECLARES),
)
_METRIC_INFO = All(Only(*_OF_A_METRIC), Holds("metric_name", str), Has("metric_value_info"))
_PROMPT = All(
    Only(*_OF_A_METRIC),
    Either(Holds("name", str), Holds("metric_name", str)),
    Either(*(Holds(name, str) for name in _PROMPTS)),
)
_DESCRIBED = (
    (88, All(Only(*_AROUND), Some("metrics_info", Has("metric_name")))),
    (88, _METRIC_INFO),
    (70, All(Only(*_AROUND, *_BUILT_IN), _DECLARES)),
    (60, All(Only(*_AROUND), Either(Some("tools", _DECLARED), Some("metrics", _PROMPT)))),
    (55, _DECLARED),
    # A prompt by itself may be anybody's.
    (55, All(_PROMPT, Has("metric_name", "metric_prompt_template"))),
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
        recognise=Surest(OneObject(*_DESCRIBED), Among(Rules(*_DESCRIBED), Only(*_OF_A_TOOL, *_BUILT_IN, *_AROUND))),
        load=_descriptions,
    ),
)
