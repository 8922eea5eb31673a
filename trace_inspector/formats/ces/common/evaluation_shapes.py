"""The keys of CES's evaluation messages: the client 0.7.2 and what the service's own schema has beyond it."""

from __future__ import annotations

from trace_inspector.core.finding import error
from trace_inspector.formats.common.fields import (
    ANYTHING,
    BOOLEAN,
    LIST,
    NUMBER,
    OBJECT,
    STRING,
    Extra,
    Field,
    Fields,
    Report,
    Shape,
)
from trace_inspector.formats.common.schema import message
from trace_inspector.formats.vertex.common.content import given


def _shape(name: str, /, **kinds: tuple[type, ...]) -> Shape:
    return Shape(name, {key: Field(types) for key, types in kinds.items()}, Extra.TOLD)


EVALUATION = _shape(
    "an evaluation",
    name=STRING,
    display_name=STRING,
    description=STRING,
    tags=LIST,
    evaluation_datasets=LIST,
    create_time=ANYTHING,
    created_by=STRING,
    update_time=ANYTHING,
    last_updated_by=STRING,
    evaluation_runs=LIST,
    etag=STRING,
    aggregated_metrics=OBJECT,
    last_completed_result=OBJECT,
    invalid=BOOLEAN,
    last_ten_results=LIST,
    evaluation_metrics_threshold_override=OBJECT,
    evaluation_metrics_config_override=OBJECT,
    golden=OBJECT,
    scenario=OBJECT,
)
GOLDEN = _shape("a golden", turns=LIST, evaluation_expectations=LIST)
TURN = _shape(
    "a golden turn",
    steps=LIST,
    root_span=OBJECT,
    turn_level_metrics_thresholds_override=OBJECT,
    hallucination_metric_behavior_override=ANYTHING,
)
STEP = _shape("a step", user_input=OBJECT, agent_transfer=OBJECT, expectation=OBJECT)
INPUT = _shape(
    "a user input",
    text=STRING,
    dtmf=STRING,
    audio=STRING,
    tool_responses=OBJECT,
    image=OBJECT,
    blob=OBJECT,
    variables=OBJECT,
    event=OBJECT,
    will_continue=BOOLEAN,
    recording_control=ANYTHING,
)
EXPECTATION = _shape(
    "an expectation",
    tool_call=OBJECT,
    tool_response=OBJECT,
    agent_response=ANYTHING,
    agent_transfer=OBJECT,
    updated_variables=OBJECT,
    mock_tool_response=OBJECT,
    no_tool_calls=BOOLEAN,
    note=STRING,
    skip_evaluation=BOOLEAN,
    comparison_type=ANYTHING,
    expectation_level_metrics_thresholds_override=OBJECT,
    agent_response_semantic_similarity_metrics_config_override=OBJECT,
    agent_response_hallucination_metrics_config_override=OBJECT,
)
SCENARIO = _shape(
    "a scenario",
    task=STRING,
    user_facts=LIST,
    max_turns=NUMBER,
    rubrics=LIST,
    scenario_expectations=LIST,
    variable_overrides=OBJECT,
    task_completion_behavior=ANYTHING,
    user_goal_behavior=ANYTHING,
    evaluation_expectations=LIST,
    scenario_execution_mode=ANYTHING,
)
SCENARIO_EXPECTATION = _shape("a scenario expectation", tool_expectation=OBJECT, agent_response=ANYTHING)
TOOL_EXPECTATION = _shape("a tool expectation", expected_tool_call=OBJECT, mock_tool_response=OBJECT)
TOOLSET_TOOL = message("a tool of a toolset", toolset=STRING, tool_id=STRING)
TOOL_RESPONSES = message("answers of tools", tool_responses=LIST)
MEDIA = message("bytes with their type", mime_type=STRING, data=STRING, alt_text=STRING)
TOOL_CALL = message(
    "a tool call",
    {"toolset_tool": TOOLSET_TOOL},
    id=STRING,
    tool=STRING,
    toolset_tool=OBJECT,
    display_name=STRING,
    args=OBJECT,
    agent_name=STRING,
    parent_tool_call_id=STRING,
)
TOOL_RESPONSE = message(
    "a tool response",
    {"toolset_tool": TOOLSET_TOOL},
    id=STRING,
    tool=STRING,
    toolset_tool=OBJECT,
    display_name=STRING,
    response=ANYTHING,
    agent_name=STRING,
    parent_tool_call_id=STRING,
)
OBSERVED_CALL = _shape("an observed call", tool_call=OBJECT, tool_response=OBJECT)
TRANSFER = _shape("an agent transfer", target_agent=STRING, display_name=STRING)
MESSAGE = _shape("a message", role=STRING, chunks=LIST, event_time=ANYTHING)
LLM_EXPECTATION = _shape(
    "an evaluation expectation",
    name=STRING,
    display_name=STRING,
    llm_criteria=OBJECT,
    tags=LIST,
    create_time=ANYTHING,
    update_time=ANYTHING,
    etag=STRING,
)
LLM_CRITERIA = _shape("a criterion", prompt=STRING)
DATASET = _shape(
    "an evaluation dataset",
    name=STRING,
    display_name=STRING,
    evaluations=LIST,
    create_time=ANYTHING,
    update_time=ANYTHING,
    etag=STRING,
    created_by=STRING,
    last_updated_by=STRING,
    aggregated_metrics=OBJECT,
)

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
    said = tuple(name for name in names if given(owner.get(name)))
    if len(said) > 1:
        named = " and ".join(f"“{owner.key(name)}”" for name in said)
        message = f"{what} may hold only one of {named}; CES rejects it. All of them are shown."
        report.add(error("several-of-a-union", message, owner.at(said[1])))
    return said
