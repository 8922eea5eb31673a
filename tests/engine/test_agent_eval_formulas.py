"""agent-eval's eleven formulas, its own and the corrected ones side by side, on numbers worked out by hand.

Rows name sections of the reference on CES, Vertex AI and agent-eval: C3 has a line for each formula, with what is
wrong in it, C2 says how spans are made up, C4 what else the converter does, E1 what agent-eval has no word for.
"""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from tests.engine.builders import judged, numbered
from tests.formats import agent_eval_files as files
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, Span, SpanKind, Steps, Trace, Turn, Usage
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.engine.criteria.rules import agent_eval_defaults
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.metrics.agent_eval import AGENT_EVAL_METRICS
from trace_inspector.formats.agent_eval import format as agent_eval
from trace_inspector.formats.common.format import Source

# Per 1,000 tokens; the name of the model in the rows contains both.
PRICES: dict[str, Json] = {
    "prices": {
        "gemini-2.5-flash": {"input": 0.3, "output": 2.5},
        "gemini-2.5-flash-lite": {"input": 0.1, "output": 0.4, "cached": 0.025},
    }
}
NO_JUDGE = False
FLAT: dict[str, Json] = {"prices": {"flash": {"input": 1, "output": 2}}}
SANDBOX = (
    "save_artifact", "load_artifact", "read_file", "write_file", "run_python_script", "execute_code", "save_to_file",
    "read_from_file",
)  # fmt: skip
# The rows report five calls of models: 5,900 tokens of prompts, 400 of them cached, 100 of tool use, 150 written, 60
# thought. The conversation calls three tools, once each.
SIMULATED = [
    # section, metric, options, original, corrected
    (
        "C3 the first name that fits; thoughts and tool use free, cached tokens at full price",
        "token_usage",
        PRICES,
        5.9 * 0.3 + 0.15 * 2.5,
        5.6 * 0.1 + 0.4 * 0.025 + 0.21 * 0.4,
    ),
    ("C3 prompt and candidates by the price of 1,000", "token_usage", FLAT, 5.9 + 0.15 * 2, 6.0 + 0.21 * 2),
    ("C3 no price is built in", "token_usage", {}, None, None),
    ("C3 the sum of invocations; n/a where spans are made up", "latency_metrics", {}, 10.0, None),
    ("C3 cached / (prompt + cached); cached are among the prompt's", "cache_efficiency", {}, 400 / 6300, 400 / 5900),
    ("C3 thoughts / (thoughts + candidates); fine", "thinking_metrics", {}, 60 / 210, 60 / 210),
    ("C3 execute_tool spans, twice the calls", "tool_utilization", {}, 6.0, 3.0),
    ("C3 1 - failed / total over spans with a response", "tool_success_rate", {}, 2 / 3, 2 / 3),
    ("C3 chunks in responses, of made-up ones always 0; those on events", "grounding_utilization", {}, 0.0, 2.0),
    ("C3 the most tokens of one call; fine", "context_saturation", {}, 1550.0, 1550.0),
    ("C3 invoke_agent spans and transfers, doubled; transfers and author changes", "agent_handoffs", {}, 4.0, 1.0),
    ("C3 output tokens / calls of models; fine", "output_density", {}, 30.0, 30.0),
    ("C3 spans of eight tools, doubled like tools", "sandbox_usage", {}, 2.0, 1.0),
]
MEASURED: list[tuple[str, str, dict[str, Json], float, float]] = [
    ("C3 the sum of invocations; measured", "latency_metrics", {}, 9.0, 9.0),
    ("C2 one span for each call in a live run", "tool_utilization", {}, 3.0, 3.0),
    ("C3 chunks in responses", "grounding_utilization", {}, 2.0, 2.0),
    ("C3 one at least for each turn", "agent_handoffs", {}, 4.0, 1.0),
    ("C2 one span for each call in a live run", "sandbox_usage", {}, 1.0, 1.0),
]


@cache
def recorded(kind: str) -> Trace:
    """The conversation of a row."""
    row = files.simulated() if kind == "simulated" else files.live()
    (trace,) = collect("agent-eval", agent_eval.read(Source([row]))).traces
    return trace


def verdict(trace: Trace, name: str, options: dict[str, Json] | None = None, threshold: float | None = None) -> Any:
    """What a metric says of the whole conversation."""
    return judged(None, trace, f"agent_eval_{name}", threshold, options).metrics[0]


def of(*turns: Turn) -> Trace:
    """A conversation of some turns."""
    return Trace("t", numbered(turns))


def turn(*events: Event, **more: Any) -> Turn:
    """A turn of some events."""
    return Turn(0, user=(Text("hi"),), events=events, steps=Steps.EVENTS, **more)


def said(author: str, *parts: Part, **more: Any) -> Event:
    """An event."""
    return Event(author, parts, **more)


@each(("section", "name", "options", "original", "corrected"), SIMULATED)
def test_a_simulated_row(
    section: str, name: str, options: dict[str, Json], original: float | None, corrected: float | None
) -> None:
    assert verdict(recorded("simulated"), name, options).score == pytest.approx(original), section
    assert verdict(recorded("simulated"), f"{name}_corrected", options).score == pytest.approx(corrected), section


@each(("section", "name", "options", "original", "corrected"), MEASURED)
def test_a_row_of_a_live_run(
    section: str, name: str, options: dict[str, Json], original: float | None, corrected: float | None
) -> None:
    assert verdict(recorded("live"), name, options).score == original, section
    assert verdict(recorded("live"), f"{name}_corrected", options).score == corrected, section


def test_the_tables_name_all_eleven() -> None:
    named = {name for _section, name, *_rest in SIMULATED}
    assert len(named) == 11
    assert {metric.name for metric in AGENT_EVAL_METRICS} == {
        f"agent_eval_{name}{ending}" for name in named for ending in ("", "_corrected")
    }


@each("metric", AGENT_EVAL_METRICS, ids=lambda metric: metric.name)
def test_a_score_informs_and_is_there_for_each_turn(metric: Any) -> None:
    (case,) = [judged(None, recorded("simulated"), metric.name, None, PRICES if "token" in metric.name else {})]
    one = case.metrics[0]
    assert one.status is Status.INFORMATIONAL
    assert len(case.turns) == 2
    assert all(len(row.metrics) == 1 for row in case.turns)


@pytest.mark.parametrize(
    ("section", "name", "threshold", "status"),
    [
        (
            "E1 no threshold of its own; less is better: the most that passes",
            "context_saturation",
            1550,
            Status.PASSED,
        ),
        ("E1 no threshold of its own; less is better", "context_saturation", 1549, Status.FAILED),
        ("E1 no threshold of its own; more is better", "cache_efficiency_corrected", 0.06, Status.PASSED),
        ("E1 no threshold of its own; more is better", "cache_efficiency_corrected", 0.07, Status.FAILED),
        ("C3 n/a where spans are made up", "latency_metrics_corrected", 1.0, Status.NOT_EVALUATED),
    ],
)
def test_a_threshold_decides_in_the_better_direction(
    section: str, name: str, threshold: float, status: Status
) -> None:
    assert verdict(recorded("simulated"), name, {}, threshold).status is status, section


def figures(one: MetricVerdict) -> dict[str, float | None]:
    """The figures by name."""
    return dict(one.figures)


def test_times_of_made_up_spans_are_told_to_be_counts() -> None:
    own = verdict(recorded("simulated"), "latency_metrics")
    assert figures(own) == {"average_turn_s": 5.0, "llm_s": 2.0, "tool_s": 6.0, "first_response_s": 4.0}
    assert "made up" in own.reason
    assert "made up" in verdict(recorded("simulated"), "latency_metrics_corrected").reason


def test_times_that_were_measured() -> None:
    wanted = {"average_turn_s": 4.5, "llm_s": 4.75, "tool_s": 0.5, "first_response_s": 1.0}
    assert figures(verdict(recorded("live"), "latency_metrics")) == pytest.approx(wanted)
    assert figures(verdict(recorded("live"), "latency_metrics_corrected")) == pytest.approx(wanted)


def test_durations_that_turns_state_need_no_spans() -> None:
    stated = [turn(said("a"), duration_s=2.0, model_duration_s=1.0), turn(duration_s=3.0, model_duration_s=1.5)]
    one = verdict(of(*stated), "latency_metrics_corrected")
    assert (one.score, figures(one)["llm_s"], figures(one)["tool_s"]) == (5.0, 2.5, None)
    assert verdict(of(*stated), "latency_metrics").score is None
    partly = verdict(of(stated[0], turn(said("a"))), "latency_metrics_corrected")
    assert (partly.score, partly.reason) == (None, "no durations are recorded for 1 of 2 turns")


@pytest.mark.parametrize(
    ("section", "model", "table", "reason"),
    [
        ("C3 no default price: show “unpriced”", "gemini-3-pro", FLAT, "unpriced: “gemini-3-pro”"),
        ("C3 a missing model has no default price", None, FLAT, "unpriced: a model that is not named"),
        ("C3 never hard-code prices", "flash", {}, "no prices are given"),
    ],
)
def test_no_price_is_ever_assumed(section: str, model: str | None, table: dict[str, Json], reason: str) -> None:
    trace = of(turn(said("a", usage=Usage(10, candidates=5), model=model)))
    for name in ("token_usage", "token_usage_corrected"):
        one = verdict(trace, name, table)
        assert (one.score, one.status) == (None, Status.INFORMATIONAL), section
        assert one.reason.startswith(reason), section
        assert figures(one)["total_tokens"] == 15.0


def test_what_is_priced_is_told_beside_what_is_not() -> None:
    trace = of(
        turn(said("a", usage=Usage(1000, candidates=1000), model="flash"), said("a", usage=Usage(9, candidates=9)))
    )
    assert figures(verdict(trace, "token_usage", FLAT))["cost of what is priced"] == 3.0


@each(
    "table",
    [
        {"prices": {"m": {"input": -1, "output": 0}}},
        {"prices": {"m": {"input": 1}}},
        {"prices": {"m": {"input": "1", "output": 1}}},
        {"prices": {"m": {"input": 1, "output": 1, "thoughts": 1}}},
        {"prices": [1]},
        {"prices": {"m": {"input": float("inf"), "output": 1}}},
    ],
)
def test_a_broken_price_is_named(table: dict[str, Json]) -> None:
    one = verdict(recorded("simulated"), "token_usage", table)
    assert one.status is Status.NOT_EVALUATED
    assert "prices" in one.reason


def test_cached_tokens_cost_as_others_where_they_have_no_price() -> None:
    trace = of(turn(said("a", usage=Usage(1000, cached=5000), model="flash")))
    assert verdict(trace, "token_usage_corrected", FLAT).score == 1.0
    free: dict[str, Json] = {"prices": {"flash": {"input": 1, "output": 2, "cached": 0}}}
    assert verdict(trace, "token_usage_corrected", free).score == 0.0  # never more of them than the prompt has


@each(
    ("section", "parts", "original", "corrected"),
    [
        ("C3 1.0 if none; corrected n/a", [], 1.0, None),
        ("C3 calls without a response ignored; corrected counted", [ToolCall("t", {}, "1")], 1.0, 0.0),
        ("C4 a falsy result is one", [ToolCall("t", {}, "1"), ToolResult("t", 0, "1")], 1.0, 1.0),
        ("C3 the key error", [ToolCall("t", {}, "1"), ToolResult("t", {"error": None}, "1")], 0.0, 0.0),
        (
            "C3 the key error_message",
            [ToolCall("t", {}, "1"), ToolResult("t", {"error_message": "x"}, "1")],
            0.0,
            0.0,
        ),
        ("C3 the status error", [ToolCall("t", {}, "1"), ToolResult("t", {"status": "error"}, "1")], 0.0, 0.0),
        ("C3 another status", [ToolCall("t", {}, "1"), ToolResult("t", {"status": "no"}, "1")], 1.0, 1.0),
        (
            "E1 a failure in the words of another system counts corrected",
            [ToolCall("t", {}, "1"), ToolResult("t", {"isError": True}, "1", is_error=True)],
            1.0,
            0.0,
        ),
        (
            "C4 calls without an id count too",
            [ToolCall("t"), ToolCall("t"), ToolResult("t", {}), ToolResult("t", ABSENT)],
            1.0,
            1.0,
        ),
    ],
)
def test_which_calls_count_as_successes(
    section: str, parts: list[Part], original: float, corrected: float | None
) -> None:
    trace = of(turn(said("a", *parts)))
    assert verdict(trace, "tool_success_rate").score == original, section
    assert verdict(trace, "tool_success_rate_corrected").score == corrected, section


@each(
    ("section", "events", "count"),
    [
        ("C3 one agent hands over to nobody", [said("a"), said("a")], 0),
        ("C3 author changes", [said("a"), said("b"), said("a")], 2),
        (
            "C3 a transfer and the change it makes are one",
            [said("a", ToolCall("transfer_to_agent", {"agent_name": "b"})), said("b")],
            1,
        ),
        (
            "C3 transfers",
            [said("a", ToolCall("transfer_to_agent", {"agent_name": "b"})), said("a")],
            1,
        ),
        (
            "C4 argument keys in camelCase",
            [said("a", ToolCall("transfer_to_agent", {"agentName": "b"})), said("a", Transfer("b"))],
            1,
        ),
        ("E1 a transfer that an action states", [said("a", Transfer("b"))], 1),
        ("E1 the user is no agent", [said("user", Transfer("a")), said("a")], 0),
    ],
)
def test_handing_over_is_counted_once(section: str, events: list[Event], count: int) -> None:
    assert verdict(of(turn(*events)), "agent_handoffs_corrected").score == float(count), section


@pytest.mark.parametrize(
    ("section", "name", "kind", "score"),
    [
        ("C3 invoke_agent spans", "invoke_agent desk", SpanKind.AGENT, 1),
        ("C3 tool spans named transfer_to_agent", "execute_tool transfer_to_agent", SpanKind.TOOL, 1),
        ("C3 tool spans named *Agent", "execute_tool BookingAgent", SpanKind.TOOL, 1),
        ("C3 other tools are none", "execute_tool AgentFinder", SpanKind.TOOL, 0),
        ("C3 models are none", "call_llm", SpanKind.MODEL, 0),
    ],
)
def test_which_spans_hand_over_by_the_formula_of_its_own(section: str, name: str, kind: SpanKind, score: int) -> None:
    trace = of(turn(said("a"), spans=(Span("1", name, kind),)))
    assert verdict(trace, "agent_handoffs").score == float(score), section


@pytest.mark.parametrize(
    ("section", "tool", "count"),
    [
        *((f"C3 names {name}", name, 1) for name in SANDBOX),
        ("C3 a name that contains one of them", "my_read_file_tool", 1),
        ("C3 another name", "file_reader", 0),
    ],
)
def test_which_tools_are_those_of_a_sandbox(section: str, tool: str, count: int) -> None:
    trace = of(turn(said("a", ToolCall(tool)), spans=(Span("1", f"execute_tool {tool}", SpanKind.TOOL),)))
    for ending in ("", "_corrected"):
        assert verdict(trace, f"sandbox_usage{ending}").score == float(count), section


def test_turns_with_thoughts_are_turns_and_not_calls() -> None:
    """C3: turns with thoughts > 0."""
    thinking = said("a", usage=Usage(10, candidates=5, thoughts=5))
    trace = of(turn(thinking, thinking), turn(said("a", usage=Usage(10, candidates=5))))
    for ending in ("", "_corrected"):
        assert figures(verdict(trace, f"thinking_metrics{ending}"))["turns_with_thoughts"] == 1.0


def test_the_answer_of_another_agent_is_a_hand_off_and_a_new_turn_is_none() -> None:
    first = turn(said("a"), final_response=(Text("x"),), final_author="b")
    assert verdict(of(first, turn(said("a"))), "agent_handoffs_corrected").score == 1.0


@pytest.mark.parametrize(
    "name", ["token_usage", "cache_efficiency", "thinking_metrics", "context_saturation", "output_density"]
)
def test_without_tokens_there_is_nothing_to_say(name: str) -> None:
    for ending in ("", "_corrected"):
        one = verdict(of(turn(said("a", Text("x")))), name + ending, FLAT if name == "token_usage" else {})
        assert (one.score, one.reason) == (None, "no tokens are reported")


@pytest.mark.parametrize(
    "name", ["latency_metrics", "tool_utilization", "grounding_utilization", "agent_handoffs", "sandbox_usage"]
)
def test_formulas_that_read_spans_say_so_where_there_are_none(name: str) -> None:
    one = verdict(of(turn(said("a", ToolCall("t")))), name)
    assert (one.score, one.reason) == (None, "this formula reads the spans of agent-eval’s rows, and there are none")


def test_the_context_is_held_against_a_limit_of_ones_own() -> None:
    one = verdict(recorded("simulated"), "context_saturation_corrected", {"limit": 1000})
    assert figures(one) == {"limit": 1000.0, "share_of_limit": 1.55}
    assert one.reason == "a call of booker; 1,550 tokens are more than the limit of 1,000"
    assert verdict(recorded("simulated"), "context_saturation_corrected", {"limit": 0}).score is None


def test_they_travel_to_other_processes() -> None:
    arrived = pickle.loads(pickle.dumps(AGENT_EVAL_METRICS))
    assert [metric.name for metric in arrived] == [metric.name for metric in AGENT_EVAL_METRICS]


def test_they_are_no_part_of_a_run_that_does_not_name_them() -> None:
    assert all(metric.named_only and metric.informational for metric in AGENT_EVAL_METRICS)
    assert set(AGENT_EVAL_METRICS) <= set(METRICS)


def test_defaults_compare_calls_where_a_reference_states_them() -> None:
    suite = collect("agent-eval", agent_eval.read(Source(files.golden()))).suites[0]
    with_calls, without = suite.cases
    assert agent_eval_defaults([without], NO_JUDGE).items[0].metric == AGENT_EVAL_METRICS[0].name
    first, *others = agent_eval_defaults([with_calls, without], NO_JUDGE).items
    assert (first.metric, first.threshold, first.options) == ("trajectory_match", 1.0, {"match_type": "IN_ORDER"})
    assert [one.metric for one in others] == [metric.name for metric in AGENT_EVAL_METRICS]


def test_turns_are_measured_one_by_one() -> None:
    case = judged(None, recorded("simulated"), "agent_eval_tool_utilization", None)
    assert [row.metrics[0].score for row in case.turns] == [2.0, 4.0]
    assert figures(case.metrics[0]) == {"unique": 3.0, "find_seats": 2.0, "transfer_to_agent": 2.0, "write_file": 2.0}
    unlike = replace(recorded("simulated"), turns=())
    assert judged(None, unlike, "agent_eval_tool_utilization", None).metrics[0].score is None
