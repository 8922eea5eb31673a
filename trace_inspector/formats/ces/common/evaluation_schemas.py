"""The keys of CES's evaluation messages: the client 0.7.2 and what the service's own schema has beyond it."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.schema import ANYTHING, BOOLEAN, LIST, NUMBER, OBJECT, TEXT, Schema
from trace_inspector.formats.vertex.common import content

# Who made a resource of CES, and when.
RESOURCE = TEXT("name display_name etag") | ANYTHING("create_time update_time")
AUTHORS = TEXT("created_by last_updated_by")
EVALUATION = Schema(
    "an evaluation",
    RESOURCE,
    AUTHORS,
    TEXT("description"),
    LIST("tags evaluation_datasets evaluation_runs last_ten_results"),
    OBJECT("aggregated_metrics last_completed_result evaluation_metrics_threshold_override"),
    OBJECT("evaluation_metrics_config_override golden scenario"),
    BOOLEAN("invalid"),
)
GOLDEN = Schema("a golden", LIST("turns evaluation_expectations"))
TURN = Schema(
    "a golden turn",
    LIST("steps"),
    OBJECT("root_span turn_level_metrics_thresholds_override"),
    ANYTHING("hallucination_metric_behavior_override"),
)
STEP = Schema("a step", OBJECT("user_input agent_transfer expectation"))
INPUT = Schema(
    "a user input",
    TEXT("text dtmf audio"),
    OBJECT("tool_responses image blob variables event"),
    BOOLEAN("will_continue"),
    ANYTHING("recording_control"),
)
EXPECTATION = Schema(
    "an expectation",
    OBJECT("tool_call tool_response agent_transfer updated_variables mock_tool_response"),
    OBJECT("expectation_level_metrics_thresholds_override"),
    OBJECT("agent_response_semantic_similarity_metrics_config_override"),
    OBJECT("agent_response_hallucination_metrics_config_override"),
    ANYTHING("agent_response comparison_type"),
    BOOLEAN("no_tool_calls skip_evaluation"),
    TEXT("note"),
)
SCENARIO = Schema(
    "a scenario",
    TEXT("task"),
    LIST("user_facts rubrics scenario_expectations evaluation_expectations"),
    NUMBER("max_turns"),
    OBJECT("variable_overrides"),
    ANYTHING("task_completion_behavior user_goal_behavior scenario_execution_mode"),
)
SCENARIO_EXPECTATION = Schema("a scenario expectation", OBJECT("tool_expectation"), ANYTHING("agent_response"))
TOOL_EXPECTATION = Schema("a tool expectation", OBJECT("expected_tool_call mock_tool_response"))
TOOLSET_TOOL = Schema("a tool of a toolset", TEXT("toolset tool_id"))
TOOL_RESPONSES = Schema("answers of tools", LIST("tool_responses"))
MEDIA = Schema("bytes with their type", TEXT("mime_type data alt_text"))
_TOOL = TEXT("id tool display_name agent_name parent_tool_call_id") | OBJECT("toolset_tool", of=TOOLSET_TOOL)
TOOL_CALL = Schema("a tool call", _TOOL, OBJECT("args"))
TOOL_RESPONSE = Schema("a tool response", _TOOL, ANYTHING("response"))
OBSERVED_CALL = Schema("an observed call", OBJECT("tool_call tool_response"))
TRANSFER = Schema("an agent transfer", TEXT("target_agent display_name"))
MESSAGE = Schema("a message", TEXT("role"), LIST("chunks"), ANYTHING("event_time"))
LLM_EXPECTATION = Schema("an evaluation expectation", RESOURCE, OBJECT("llm_criteria"), LIST("tags"))
LLM_CRITERIA = Schema("a criterion", TEXT("prompt"))
DATASET = Schema("an evaluation dataset", RESOURCE, AUTHORS, LIST("evaluations"), OBJECT("aggregated_metrics"))

STEP_KINDS = ("user_input", "agent_transfer", "expectation")
CONDITIONS = (
    "tool_call",
    "tool_response",
    "agent_response",
    "agent_transfer",
    "updated_variables",
    "mock_tool_response",
    "no_tool_calls",
)
INPUT_KINDS = ("text", "dtmf", "audio", "tool_responses", "image", "blob", "variables", "event")
TOOL_KINDS = ("tool", "toolset_tool")


def check_union(owner: Fields, names: tuple[str, ...], what: str, report: Report) -> tuple[str, ...]:
    """The members that are set; a finding where there are several."""
    return content.check_union(owner, names, what, report, "CES rejects it. All of them are shown.")
