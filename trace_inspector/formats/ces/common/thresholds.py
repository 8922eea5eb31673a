"""CES's thresholds and switches, at every level where they may stand, as criteria of its metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.enums import (
    EXTRA_CALL_BEHAVIOR,
    HALLUCINATION_BEHAVIOR,
    SIMILARITY_CHANNEL,
    Enumeration,
    enum_word,
)
from trace_inspector.formats.common.fields import Fields, Report, kind_of, number_of, spellings

SIMILARITY, INVOCATION, PARAMETERS = "ces_semantic_similarity", "ces_tool_invocation", "ces_parameter_correctness"
HALLUCINATION, EXTRA_CALLS = "ces_hallucination", "ces_extra_calls"
EXPECTATIONS, USER_GOAL = "ces_expectations", "ces_user_goal"
ENABLED = "enabled"


class Threshold(Struct, frozen=True):
    """A number that a score of the metric must reach."""

    metric: str
    most: int
    whole: bool = False


class Choice(Struct, frozen=True):
    """A word that becomes an option of the metric."""

    metric: str
    enumeration: Enumeration
    option: str


class Switch(Struct, frozen=True):
    """A message that switches the metric: absent states nothing, and without its key being true it is off."""

    metric: str
    key: str


class Level(Struct, frozen=True):
    """What an object may state about metrics. An `open` one has other members too, which are read elsewhere."""

    members: Mapping[str, Member]
    open: bool = False


Member: TypeAlias = "Threshold | Choice | Switch | Level"


def criteria_in(owner: Fields | None, level: Level, report: Report) -> tuple[Criterion, ...]:
    """The criteria that an object states, one for each metric, in the order of the table."""
    lines = _Lines(report)
    if owner is not None:
        lines.read(owner, level)
    return tuple(
        Criterion(metric, line.threshold, line.options, line.place) for metric, line in lines.by_metric.items()
    )


class _Line(Struct):
    place: str
    threshold: float | None = None
    options: JsonObject = field(default_factory=dict)


class _Lines(Struct):
    report: Report
    by_metric: dict[str, _Line] = field(default_factory=dict)

    def read(self, fields: Fields, level: Level) -> None:
        for name, member in level.members.items():
            value = fields.get(name)
            if not isinstance(value, str | int | float | list | dict):
                continue
            match member:
                case Threshold():
                    self._threshold(member, value, fields.pointer(name))
                case Choice(metric, enumeration, option):
                    word = enum_word(fields, name, enumeration, self.report)
                    if word:
                        self._line(metric, fields.pointer(name)).options[option] = word
                case Switch():
                    self._switch(member, value, fields.pointer(name))
                case Level():
                    inner = self._object(value, fields.pointer(name))
                    if inner is not None:
                        self.read(inner, member)
        if not level.open:
            self._report_others(fields, level.members)

    def _line(self, metric: str, place: str) -> _Line:
        return self.by_metric.setdefault(metric, _Line(place))

    def _threshold(self, member: Threshold, value: Json, place: str) -> None:
        number = number_of(value)
        if number is None:
            self.report.add(error("wrong-type", f"A threshold should be a number, not {kind_of(value)}.", place))
            return
        if not 0 <= number <= member.most or (member.whole and not number.is_integer()):
            kind = "a whole number" if member.whole else "a number"
            message = f"CES requires {kind} from 0 to {member.most} as threshold of {member.metric}, not {number:g}."
            self.report.add(warning("threshold-range", message, place))
        self._line(member.metric, place).threshold = number

    def _switch(self, member: Switch, value: Json, place: str) -> None:
        inner = self._object(value, place)
        if inner is None:
            return
        self._report_others(inner, (member.key,))
        stated = inner.get(member.key)
        if isinstance(stated, str | int | float | list | dict) and not isinstance(stated, bool):
            message = f"This should be true or false, not {kind_of(stated)}; CES accepts nothing else here."
            self.report.add(error("wrong-type", message, inner.pointer(member.key)))
            return
        self._line(member.metric, place).options[ENABLED] = stated is True

    def _object(self, value: Json, place: str) -> Fields | None:
        if isinstance(value, dict):
            return Fields(value, place)
        self.report.add(error("wrong-type", f"This should be an object, not {kind_of(value)}.", place))
        return None

    def _report_others(self, fields: Fields, names: Iterable[str]) -> None:
        keys = spellings(*names)
        for key in (key for key in fields.value if key not in keys):
            message = f"“{key}” is not a known threshold or switch; it is shown only in the Raw view."
            self.report.add(info("unknown-key", message, join(fields.place, key)))


def _hallucination(option: str) -> Choice:
    return Choice(HALLUCINATION, HALLUCINATION_BEHAVIOR, option)


_TURN_LEVEL = Level(
    {
        "semantic_similarity_success_threshold": Threshold(SIMILARITY, 4, whole=True),
        "semantic_similarity_channel": Choice(SIMILARITY, SIMILARITY_CHANNEL, "semanticSimilarityChannel"),
        "overall_tool_invocation_correctness_threshold": Threshold(INVOCATION, 1),
    }
)
_EXPECTATION_LEVEL = Level({"tool_invocation_parameter_correctness_threshold": Threshold(PARAMETERS, 1)})
_GOLDEN = Level(
    {
        "turn_level_metrics_thresholds": _TURN_LEVEL,
        "expectation_level_metrics_thresholds": _EXPECTATION_LEVEL,
        "tool_matching_settings": Level(
            {"extra_tool_call_behavior": Choice(EXTRA_CALLS, EXTRA_CALL_BEHAVIOR, "extraToolCallBehavior")}
        ),
    }
)
_THRESHOLDS = Level(
    {
        "golden_evaluation_metrics_thresholds": _GOLDEN,
        "golden_hallucination_metric_behavior": _hallucination("goldenHallucinationMetricBehavior"),
        "scenario_hallucination_metric_behavior": _hallucination("scenarioHallucinationMetricBehavior"),
        "hallucination_metric_behavior": _hallucination("hallucinationMetricBehavior"),
    }
)
_SIMILARITY_SWITCH = Switch(SIMILARITY, "enable_semantic_similarity_metrics")
_CONFIG = Level(
    {
        "golden_metrics_config": Level(
            {
                "semantic_similarity_metrics_config": _SIMILARITY_SWITCH,
                "tool_correctness_metrics_config": Switch(INVOCATION, "enable_tool_correctness_metrics"),
                "step_tool_correctness_metrics_config": Switch(PARAMETERS, "enable_tool_correctness_metrics"),
            }
        ),
        "scenario_metrics_config": Level(
            {
                "user_goal_met_metrics_config": Switch(USER_GOAL, "enable_user_goal_met_metrics"),
                "expectations_met_metrics_config": Switch(EXPECTATIONS, "enable_expectations_met_metrics"),
            }
        ),
    }
)
OF_APP = Level(
    {
        "evaluation_metrics_thresholds": _THRESHOLDS,
        "evaluation_settings": Level({"metrics_config": _CONFIG}, open=True),
    },
    open=True,
)
OF_RESULT = Level({"evaluation_metrics_thresholds": _THRESHOLDS}, open=True)
OF_EVALUATION = Level(
    {
        "evaluation_metrics_threshold_override": _THRESHOLDS,
        "evaluation_metrics_config_override": _CONFIG,
    },
    open=True,
)
OF_TURN = Level(
    {
        "turn_level_metrics_thresholds_override": _TURN_LEVEL,
        "hallucination_metric_behavior_override": _hallucination("hallucinationMetricBehavior"),
    },
    open=True,
)
OF_EXPECTATION = Level(
    {
        "expectation_level_metrics_thresholds_override": _EXPECTATION_LEVEL,
        "agent_response_semantic_similarity_metrics_config_override": _SIMILARITY_SWITCH,
        "agent_response_hallucination_metrics_config_override": Switch(HALLUCINATION, "enable_hallucination_metrics"),
    },
    open=True,
)
