"""The rules by which a run is decided. RULES lists them; without a name our own apply."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.trace import Steps


def agent_eval_defaults(cases: Sequence[Case], _judged: bool) -> Criteria:
    """The calls of the reference, where one states any, and all that agent-eval measures, in both ways."""
    from trace_inspector.engine.metrics.agent_eval import AGENT_EVAL_METRICS  # heavy, and often not needed

    states_calls = any(turn.steps is not Steps.ABSENT for case in cases for turn in case.turns)
    compared = (Criterion("trajectory_match", 1.0, {"match_type": "IN_ORDER"}),) if states_calls else ()
    measured = tuple(Criterion(metric.name) for metric in AGENT_EVAL_METRICS)
    return Criteria((*compared, *measured), "the defaults of agent-eval")


ADK_DEFAULTS = Criteria(
    (Criterion("tool_trajectory_avg_score", 1.0), Criterion("response_match_score", 0.8)), "the defaults of ADK"
)


def _adk_defaults(_cases: Sequence[Case], _judged: bool) -> Criteria:
    return ADK_DEFAULTS


def _vertex_defaults(cases: Sequence[Case], judged: bool) -> Criteria:
    from trace_inspector.engine.vertex.defaults import vertex_defaults

    return vertex_defaults(cases, judged)


def _ces_defaults(cases: Sequence[Case], judged: bool) -> Criteria:
    from trace_inspector.engine.ces.defaults import ces_defaults

    return ces_defaults(cases, judged)


class Rules(Struct, frozen=True):
    """One entry of RULES: how a system decides differently from us.

    `defaults` are its criteria for the cases of one golden file; the flag says whether there is a judge. They apply
    to goldens of its own formats even when its rules are not named.
    """

    name: str
    title: str  # who decides so, in words
    system: str  # the system of the formats
    defaults: Callable[[Sequence[Case], bool], Criteria]
    informs_of: str = ""  # only the informational metrics of this family are added; all of them where it is ""
    by_position: bool = False  # turns pair by their position whatever their texts
    counts_turns: bool = True  # a missing or extra turn is a verdict of its own
    adds_to_stated: bool = False  # criteria in a file modify the defaults instead of replacing them


OWN = Rules("", "Trace Inspector", "", _adk_defaults)

RULES: tuple[Rules, ...] = (
    Rules("adk", "google-adk", "ADK", _adk_defaults, informs_of="adk", by_position=True, counts_turns=False),
    Rules("vertex", "Vertex AI", "Vertex AI", _vertex_defaults, counts_turns=False),
    Rules("agent-eval", "agent-eval", "agent-eval", agent_eval_defaults),
    Rules("ces", "CES", "CES", _ces_defaults, by_position=True, adds_to_stated=True),
)


def rules_named(name: str) -> Rules:
    """The rules of that name, our own for any other."""
    return next((rules for rules in RULES if rules.name == name), OWN)


def rules_of(system: str) -> Rules:
    """The rules of a system whose formats are read here, our own where it has none."""
    return next((rules for rules in RULES if rules.system == system), OWN)
