"""The enumerations of CES, which a file may write by name or by number."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from trace_inspector.core.finding import warning
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.common.fields import Fields, Report, number_of

_SHOWN = 80


class Enumeration(Struct, frozen=True, eq=False):
    """The names of one enumeration with their numbers; 0, which means unspecified, is not among them."""

    name: str
    numbers: Mapping[str, int]
    unspecified: str

    def word(self, value: Json | Absent) -> str | None:
        """The name that a value stands for, "" for an unspecified one, None for an unknown one."""
        if value is ABSENT or value is None:
            return ""
        if isinstance(value, str) and not value.isascii():
            return None
        number = number_of(value)
        if number is not None:
            return next((name for name, code in {"": 0, **self.numbers}.items() if code == number), None)
        name = value.rpartition(".")[2] if isinstance(value, str) else None  # Python writes “Outcome.PASS”
        if name in ("", self.unspecified):
            return ""
        return name if name in self.numbers else None


def enum_word(fields: Fields, name: str, enumeration: Enumeration, report: Report) -> str:
    """The name of a key's value, "" when it is unspecified; an unknown one stays as it is, with a finding."""
    value = fields.get(name)
    word = enumeration.word(value)
    if word is not None:
        return word
    stands = str(value)[:_SHOWN]
    message = f"“{stands}” is not a known {enumeration.name}; it is shown as it is."
    report.add(warning("unknown-enum", message, fields.pointer(name)))
    return stands


def _enumeration(name: str, unspecified: str, *names: str, first: int = 1) -> Enumeration:
    return Enumeration(name, {each: index for index, each in enumerate(names, first)}, f"{unspecified}_UNSPECIFIED")


_STATES = ("RUNNING", "COMPLETED", "ERROR", "CANCELLED", "QUEUED")

OUTCOME = _enumeration("outcome", "OUTCOME", "PASS", "FAIL", "SKIPPED")
EXECUTION_STATE = _enumeration("execution state", "EXECUTION_STATE", *_STATES)
RUN_STATE = _enumeration("run state", "EVALUATION_RUN_STATE", *_STATES)
OPTIMIZATION_STATUS = _enumeration("optimization status", "OPTIMIZATION_STATUS", *_STATES[:3])
OUTCOME_METADATA = _enumeration("outcome metadata", "OUTCOME_METADATA", "GRACEFUL_HANDOFF")
ERROR_TYPE = _enumeration(
    "error type",
    "ERROR_TYPE",
    "RUNTIME_FAILURE",
    "CONVERSATION_RETRIEVAL_FAILURE",
    "METRIC_CALCULATION_FAILURE",
    "EVALUATION_UPDATE_FAILURE",
    "QUOTA_EXHAUSTED",
    "USER_SIMULATION_FAILURE",
)
GOLDEN_RUN_METHOD = _enumeration("golden run method", "GOLDEN_RUN_METHOD", "STABLE", "NAIVE")
HALLUCINATION_BEHAVIOR = _enumeration(
    "hallucination metric behavior", "HALLUCINATION_METRIC_BEHAVIOR", "DISABLED", "ENABLED"
)
SIMILARITY_CHANNEL = _enumeration("semantic similarity channel", "SEMANTIC_SIMILARITY_CHANNEL", "TEXT", "AUDIO")
EXTRA_CALL_BEHAVIOR = _enumeration("extra tool call behavior", "EXTRA_TOOL_CALL_BEHAVIOR", "FAIL", "ALLOW")
EVALUATION_CHANNEL = _enumeration("evaluation channel", "EVALUATION_CHANNEL", "TEXT", "AUDIO")
TOOL_CALL_BEHAVIOUR = _enumeration("tool call behaviour", "EVALUATION_TOOL_CALL_BEHAVIOUR", "REAL", "FAKE")
SPAN_TYPE = _enumeration("span type", "TYPE", "TOOL", "USER_CALLBACK", "GUARDRAIL", "LLM")
BACKGROUND = _enumeration(
    "background environment", "BACKGROUND_ENVIRONMENT", "CALL_CENTER", "TRAFFIC", "KIDS_NOISE", "CAFE", first=3
)
AUDIO_ENCODING = _enumeration("audio encoding", "AUDIO_ENCODING", "LINEAR16", "MULAW", "ALAW")
COMPARISON_TYPE = _enumeration("comparison type", "COMPARISON_TYPE", "EQUALS", "CONTAINS", "SEMANTIC_SIMILARITY")
USER_GOAL_BEHAVIOR = _enumeration(
    "user goal behavior", "USER_GOAL_BEHAVIOR", "USER_GOAL_SATISFIED", "USER_GOAL_REJECTED", "USER_GOAL_IGNORED"
)
TASK_COMPLETION_BEHAVIOR = _enumeration(
    "task completion behavior", "TASK_COMPLETION_BEHAVIOR", "TASK_SATISFIED", "TASK_REJECTED"
)
CONVERSATION_INITIATOR = _enumeration("conversation initiator", "SCENARIO_CONVERSATION_INITIATOR", "USER", "AGENT")
EXECUTION_MODE = _enumeration(
    "scenario execution mode", "SCENARIO_EXECUTION_MODE", "QUALITY_OPTIMIZED", "SPEED_OPTIMIZED"
)
EVALUATION_TYPE = _enumeration("evaluation type", "EVALUATION_TYPE", "GOLDEN", "SCENARIO", "MIXED")
FREQUENCY = _enumeration("frequency", "FREQUENCY", "NONE", "DAILY", "WEEKLY", "BIWEEKLY")
CACHING_MODE = _enumeration("caching mode", "EVALUATION_RUN_CACHING_MODE", "FORCE_RUN", "SKIP_IF_UNCHANGED")
CONVERSATION_SOURCE = _enumeration("conversation source", "SOURCE", "LIVE", "SIMULATOR", "EVAL", "AGENT_TOOL")
CHANNEL_TYPE = _enumeration("channel type", "CHANNEL_TYPE", "TEXT", "AUDIO", "MULTIMODAL")
INPUT_TYPE = _enumeration(
    "input type",
    "INPUT_TYPE",
    *(f"INPUT_TYPE_{kind}" for kind in ("TEXT", "AUDIO", "IMAGE", "BLOB", "TOOL_RESPONSE", "VARIABLES", "EVENT")),
)
EXPORT_FORMAT = _enumeration("export format", "EXPORT_FORMAT", "JSON", "YAML")
CONFLICT_RESOLUTION = _enumeration(
    "conflict resolution strategy", "CONFLICT_RESOLUTION_STRATEGY", "OVERWRITE", "SKIP", "DUPLICATE"
)
