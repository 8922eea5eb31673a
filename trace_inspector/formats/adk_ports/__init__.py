"""Tools that grew around google-adk: tRPC-Agent and agentevals; here their rows. Imports adk's and below."""

from __future__ import annotations

from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import (
    All,
    AnyKey,
    Best,
    Has,
    Holds,
    Keys,
    OneObject,
    Rules,
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


_SYSTEM = "tRPC-Agent, agentevals"
_METRIC = All(Has("metric_name"), Has("criterion", "threshold", "evaluator_name"))
_METRICS = first("metrics", _METRIC)
_TRACE = All(Has("trace_id", "num_invocations", least=2), first("metrics", Has("metric_name")))
_TRACE_RESULT = All(Has("trace_id", "num_invocations", least=2), first("metric_results", Has("metric_name")))

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
)
