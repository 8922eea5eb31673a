"""The objects of ADK's evaluation files as google-adk 2.13 has them: keys, types, and what it does with others."""

from __future__ import annotations

from trace_inspector.formats.common.schema import (
    ANYTHING,
    BOOLEAN,
    LIST,
    NEVER_NULL,
    NUMBER,
    OBJECT,
    REQUIRED,
    TEXT,
    ExtraKeys,
    Schema,
)

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
EVAL_SET = Schema(
    "an eval set",
    TEXT("eval_set_id", REQUIRED),
    TEXT("name description"),
    LIST("eval_cases", REQUIRED),
    NUMBER("creation_timestamp", NEVER_NULL),
    OBJECT("trace_inspector"),
    extra=ExtraKeys.DROPPED,
)
EVAL_CASE = Schema(
    "an eval case",
    TEXT("eval_id", REQUIRED),
    LIST("conversation"),
    OBJECT("conversation_scenario session_input"),
    NUMBER("creation_timestamp", NEVER_NULL),
    LIST("rubrics"),
    OBJECT("final_session_state"),
    extra=ExtraKeys.KEPT,
    aliases={
        "case_id": "eval_id",
        "caseId": "eval_id",
        "actual_conversation": "conversation",
        "actualConversation": "conversation",
        "context_messages": "",
        "contextMessages": "",
    },
)
SESSION_INPUT = Schema(
    "a session input",
    TEXT("app_name user_id", REQUIRED),
    TEXT("session_id"),
    OBJECT("state", NEVER_NULL),
    extra=ExtraKeys.KEPT,
)
SCENARIO = Schema(
    "a conversation scenario",
    TEXT("starting_prompt conversation_plan", REQUIRED),
    ANYTHING("user_persona"),
    extra=ExtraKeys.REJECTED,
)
PERSONA = Schema("a persona", TEXT("id description", REQUIRED), LIST("behaviors", REQUIRED), extra=ExtraKeys.DROPPED)
BEHAVIOR = Schema(
    "a behavior of a persona",
    TEXT("name description", REQUIRED),
    LIST("behavior_instructions violation_rubrics", REQUIRED),
    extra=ExtraKeys.DROPPED,
)
# Those that google-adk 2.13 brings along.
PERSONAS = frozenset({"EXPERT", "NOVICE", "EVALUATOR"})
INVOCATION = Schema(
    "an invocation",
    TEXT("invocation_id", NEVER_NULL),
    OBJECT("user_content", REQUIRED),
    OBJECT("final_response intermediate_data"),
    NUMBER("creation_timestamp", NEVER_NULL),
    NUMBER("duration model_duration tool_duration"),
    LIST("rubrics"),
    OBJECT("app_details"),
    extra=ExtraKeys.REJECTED,
    aliases={"agent_content": "final_response", "agentContent": "final_response", "tools": "intermediate_data"},
)
INTERMEDIATE_DATA = Schema(
    "intermediate data",
    LIST("tool_uses tool_responses intermediate_responses", NEVER_NULL),
    extra=ExtraKeys.REJECTED,
    aliases={"parts": "tool_uses", "role": "", "tool_calls": "tool_uses", "toolCalls": "tool_uses"},
)
INVOCATION_EVENTS = Schema("invocation events", LIST("invocation_events", NEVER_NULL), extra=ExtraKeys.REJECTED)
INVOCATION_EVENT = Schema(
    "an invocation event",
    TEXT("author", REQUIRED),
    OBJECT("content grounding_metadata usage_metadata"),
    TEXT("model_version"),
    extra=ExtraKeys.DROPPED,
)
APP_DETAILS = Schema("app details", OBJECT("agent_details", NEVER_NULL), extra=ExtraKeys.REJECTED)
AGENT_DETAILS = Schema(
    "agent details",
    TEXT("name", REQUIRED),
    TEXT("instructions", NEVER_NULL),
    LIST("tool_declarations", NEVER_NULL),
    extra=ExtraKeys.REJECTED,
)
RUBRIC = Schema(
    "a rubric",
    TEXT("rubric_id", REQUIRED),
    OBJECT("rubric_content", REQUIRED),
    TEXT("description type"),
    extra=ExtraKeys.REJECTED,
)
CONTENT = Schema("a content", LIST("parts"), TEXT("role"), extra=ExtraKeys.REJECTED, aliases={"content": "parts"})
PART = Schema(
    "a part",
    TEXT("text"),
    BOOLEAN("thought"),
    TEXT("thought_signature"),
    OBJECT("function_call function_response inline_data file_data executable_code code_execution_result"),
    OBJECT("video_metadata"),
    ANYTHING("media_resolution"),
    OBJECT("tool_call tool_response part_metadata audio_transcription media_processing speech_metadata"),
    extra=ExtraKeys.REJECTED,
)
FUNCTION_CALL = Schema(
    "a function call",
    TEXT("id"),
    OBJECT("args"),
    TEXT("name"),
    LIST("partial_args"),
    BOOLEAN("will_continue"),
    extra=ExtraKeys.REJECTED,
)
FUNCTION_RESPONSE = Schema(
    "a function response",
    TEXT("id name"),
    OBJECT("response"),
    LIST("parts"),
    TEXT("scheduling"),
    BOOLEAN("will_continue"),
    extra=ExtraKeys.REJECTED,
    aliases={"toolId": "id", "toolName": "name", "content": "response"},
)
EVAL_CONFIG = Schema(
    "an eval config",
    OBJECT("criteria", NEVER_NULL),
    OBJECT("custom_metrics user_simulator_config live_model_config trace_inspector"),
    extra=ExtraKeys.DROPPED,
)
JUDGE_MODEL_OPTIONS = Schema(
    "judge model options",
    TEXT("judge_model"),
    OBJECT("judge_model_config"),
    NUMBER("num_samples parallelism_limit"),
    extra=ExtraKeys.REJECTED,
)
_RUBRIC_CONTENT = Schema("a rubric's content", TEXT("text_property"), extra=ExtraKeys.REJECTED)
_RUBRIC_OF_CRITERION = Schema(
    RUBRIC.name, RUBRIC.fields, OBJECT("rubric_content", REQUIRED, of=_RUBRIC_CONTENT), extra=RUBRIC.extra
)
CRITERION = Schema(
    "a criterion",
    NUMBER("threshold", REQUIRED),
    BOOLEAN("include_intermediate_responses_in_final"),
    ANYTHING("match_type", NEVER_NULL),
    BOOLEAN("ignore_args"),
    OBJECT("judge_model_options", of=JUDGE_MODEL_OPTIONS),
    LIST("rubrics", of=_RUBRIC_OF_CRITERION),
    BOOLEAN("evaluate_intermediate_nl_responses"),
    TEXT("stop_signal"),
    extra=ExtraKeys.KEPT,
)
# Where judge calls go is never a file's to say.
ENDPOINT_KEYS = frozenset({"base_url", "baseUrl", "api_base", "apiBase", "api_key", "apiKey", "endpoint"})
