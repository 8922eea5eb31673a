"""The objects of ADK's evaluation files as google-adk 2.13 has them: keys, types, and what it does with others."""

from __future__ import annotations

from trace_inspector.formats.common.fields import ANYTHING, BOOLEAN, LIST, NUMBER, OBJECT, STRING, Extra, Field, Shape

# The metrics that google-adk 2.13 knows; those of efficiency take no threshold.
EFFICIENCY = frozenset({"tool_call_count_v1", "inference_call_count_v1", "token_usage_v1", "invocation_duration_v1"})
METRICS = EFFICIENCY | {
    "tool_trajectory_avg_score",
    "response_evaluation_score",
    "response_match_score",
    "safety_v1",
    "final_response_match_v2",
    "rubric_based_final_response_quality_v1",
    "hallucinations_v1",
    "rubric_based_tool_use_quality_v1",
    "per_turn_user_simulator_quality_v1",
    "multi_turn_task_success_v1",
    "multi_turn_trajectory_quality_v1",
    "multi_turn_tool_use_quality_v1",
    "rubric_based_multi_turn_trajectory_quality_v1",
}
EVAL_SET = Shape(
    "an eval set",
    {
        "eval_set_id": Field(STRING, required=True, nullable=False),
        "name": Field(STRING),
        "description": Field(STRING),
        "eval_cases": Field(LIST, required=True, nullable=False),
        "creation_timestamp": Field(NUMBER, nullable=False),
        "trace_inspector": Field(OBJECT),
    },
    Extra.DROPPED,
)
EVAL_CASE = Shape(
    "an eval case",
    {
        "eval_id": Field(STRING, required=True, nullable=False),
        "conversation": Field(LIST),
        "conversation_scenario": Field(OBJECT),
        "session_input": Field(OBJECT),
        "creation_timestamp": Field(NUMBER, nullable=False),
        "rubrics": Field(LIST),
        "final_session_state": Field(OBJECT),
    },
    Extra.KEPT,
    read_anyway={
        "case_id": "eval_id",
        "caseId": "eval_id",
        "actual_conversation": "conversation",
        "actualConversation": "conversation",
        "context_messages": "",
        "contextMessages": "",
    },
)
SESSION_INPUT = Shape(
    "a session input",
    {
        "app_name": Field(STRING, required=True, nullable=False),
        "user_id": Field(STRING, required=True, nullable=False),
        "session_id": Field(STRING),
        "state": Field(OBJECT, nullable=False),
    },
    Extra.KEPT,
)
SCENARIO = Shape(
    "a conversation scenario",
    {
        "starting_prompt": Field(STRING, required=True, nullable=False),
        "conversation_plan": Field(STRING, required=True, nullable=False),
        "user_persona": Field(ANYTHING),
    },
)
PERSONA = Shape(
    "a persona",
    {
        "id": Field(STRING, required=True, nullable=False),
        "description": Field(STRING, required=True, nullable=False),
        "behaviors": Field(LIST, required=True, nullable=False),
    },
    Extra.DROPPED,
)
BEHAVIOR = Shape(
    "a behavior of a persona",
    {
        "name": Field(STRING, required=True, nullable=False),
        "description": Field(STRING, required=True, nullable=False),
        "behavior_instructions": Field(LIST, required=True, nullable=False),
        "violation_rubrics": Field(LIST, required=True, nullable=False),
    },
    Extra.DROPPED,
)
# Those that google-adk 2.13 brings along.
PERSONAS = frozenset({"EXPERT", "NOVICE", "EVALUATOR"})
INVOCATION = Shape(
    "an invocation",
    {
        "invocation_id": Field(STRING, nullable=False),
        "user_content": Field(OBJECT, required=True, nullable=False),
        "final_response": Field(OBJECT),
        "intermediate_data": Field(OBJECT),
        "creation_timestamp": Field(NUMBER, nullable=False),
        "duration": Field(NUMBER),
        "model_duration": Field(NUMBER),
        "tool_duration": Field(NUMBER),
        "rubrics": Field(LIST),
        "app_details": Field(OBJECT),
    },
    read_anyway={"agent_content": "final_response", "agentContent": "final_response", "tools": "intermediate_data"},
)
INTERMEDIATE_DATA = Shape(
    "intermediate data",
    {
        "tool_uses": Field(LIST, nullable=False),
        "tool_responses": Field(LIST, nullable=False),
        "intermediate_responses": Field(LIST, nullable=False),
    },
    read_anyway={"parts": "tool_uses", "role": "", "tool_calls": "tool_uses", "toolCalls": "tool_uses"},
)
INVOCATION_EVENTS = Shape("invocation events", {"invocation_events": Field(LIST, nullable=False)})
INVOCATION_EVENT = Shape(
    "an invocation event",
    {
        "author": Field(STRING, required=True, nullable=False),
        "content": Field(OBJECT),
        "grounding_metadata": Field(OBJECT),
        "usage_metadata": Field(OBJECT),
        "model_version": Field(STRING),
    },
    Extra.DROPPED,
)
APP_DETAILS = Shape("app details", {"agent_details": Field(OBJECT, nullable=False)})
AGENT_DETAILS = Shape(
    "agent details",
    {
        "name": Field(STRING, required=True, nullable=False),
        "instructions": Field(STRING, nullable=False),
        "tool_declarations": Field(LIST, nullable=False),
    },
)
RUBRIC = Shape(
    "a rubric",
    {
        "rubric_id": Field(STRING, required=True, nullable=False),
        "rubric_content": Field(OBJECT, required=True, nullable=False),
        "description": Field(STRING),
        "type": Field(STRING),
    },
)
CONTENT = Shape("a content", {"parts": Field(LIST), "role": Field(STRING)}, read_anyway={"content": "parts"})
PART = Shape(
    "a part",
    {
        "text": Field(STRING),
        "thought": Field(BOOLEAN),
        "thought_signature": Field(STRING),
        "function_call": Field(OBJECT),
        "function_response": Field(OBJECT),
        "inline_data": Field(OBJECT),
        "file_data": Field(OBJECT),
        "executable_code": Field(OBJECT),
        "code_execution_result": Field(OBJECT),
        "video_metadata": Field(OBJECT),
        "media_resolution": Field(ANYTHING),
        "tool_call": Field(OBJECT),
        "tool_response": Field(OBJECT),
        "part_metadata": Field(OBJECT),
        "audio_transcription": Field(OBJECT),
        "media_processing": Field(OBJECT),
        "speech_metadata": Field(OBJECT),
    },
)
FUNCTION_CALL = Shape(
    "a function call",
    {
        "id": Field(STRING),
        "args": Field(OBJECT),
        "name": Field(STRING),
        "partial_args": Field(LIST),
        "will_continue": Field(BOOLEAN),
    },
)
FUNCTION_RESPONSE = Shape(
    "a function response",
    {
        "id": Field(STRING),
        "name": Field(STRING),
        "response": Field(OBJECT),
        "parts": Field(LIST),
        "scheduling": Field(STRING),
        "will_continue": Field(BOOLEAN),
    },
    read_anyway={"toolId": "id", "toolName": "name", "content": "response"},
)
EVAL_CONFIG = Shape(
    "an eval config",
    {
        "criteria": Field(OBJECT, nullable=False),
        "custom_metrics": Field(OBJECT),
        "user_simulator_config": Field(OBJECT),
        "live_model_config": Field(OBJECT),
        "trace_inspector": Field(OBJECT),
    },
    Extra.DROPPED,
)
CRITERION = Shape(
    "a criterion",
    {
        "threshold": Field(NUMBER, required=True, nullable=False),
        "include_intermediate_responses_in_final": Field(BOOLEAN),
        "match_type": Field(ANYTHING, nullable=False),
        "ignore_args": Field(BOOLEAN),
        "judge_model_options": Field(OBJECT),
        "rubrics": Field(LIST),
        "evaluate_intermediate_nl_responses": Field(BOOLEAN),
        "stop_signal": Field(STRING),
    },
    Extra.KEPT,
)
JUDGE_MODEL_OPTIONS = Shape(
    "judge model options",
    {
        "judge_model": Field(STRING),
        "judge_model_config": Field(OBJECT),
        "num_samples": Field(NUMBER),
        "parallelism_limit": Field(NUMBER),
    },
)
RUBRIC_CONTENT = Shape("a rubric's content", {"text_property": Field(STRING)})
# Where judge calls go is never a file's to say.
ENDPOINT_KEYS = frozenset({"base_url", "baseUrl", "api_base", "apiBase", "api_key", "apiKey", "endpoint"})
