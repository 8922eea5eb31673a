"""The objects of agent-eval's files, key by key: rows, golden questions, metric files and summaries."""

from __future__ import annotations

from trace_inspector.formats.common.schema import (
    ANYTHING,
    BOOLEAN,
    LIST,
    NUMBER,
    OBJECT,
    OBJECT_OR_LIST,
    TEXT,
    TEXT_OR_LIST,
    TEXT_OR_NUMBER,
    TEXT_OR_OBJECT,
    TEXT_OR_WHOLE,
    ExtraKeys,
    Schema,
)
from trace_inspector.formats.vertex.common.schemas import PART, RUBRIC_CONTENT

_CONTENT = Schema(
    "a content",
    TEXT("role"),
    LIST("parts", of=Schema(PART.name, PART.fields, TEXT("text")), entries=TEXT_OR_OBJECT),
)
_CANDIDATE = Schema("a candidate", TEXT_OR_OBJECT("content", of=_CONTENT))
USAGE = Schema(
    "token counts",
    NUMBER("prompt_token_count candidates_token_count total_token_count"),
    NUMBER("cached_content_token_count thoughts_token_count tool_use_prompt_token_count"),
    extra=ExtraKeys.KEPT,
)
_ACTIONS = Schema("actions", OBJECT("state_delta"), TEXT("transfer_to_agent"), extra=ExtraKeys.KEPT)
# All else of an event is checked as ADK's.
_EVENT = Schema(
    "an event", ANYTHING("usage_metadata", of=USAGE), ANYTHING("actions", of=_ACTIONS), extra=ExtraKeys.KEPT
)
_SESSION = Schema(
    "a session", TEXT("id app_name user_id"), OBJECT("state"), LIST("events", of=_EVENT), NUMBER("last_update_time")
)
_ATTRIBUTES = Schema(
    "a span's attributes",
    NUMBER("gen_ai.usage.input_tokens gen_ai.usage.output_tokens"),
    TEXT_OR_OBJECT("gcp.vertex.agent.llm_request gcp.vertex.agent.llm_response gcp.vertex.agent.tool_call_args"),
    TEXT("gen_ai.system gen_ai.request.model gen_ai.tool.name gen_ai.operation.name gen_ai.response.finish_reason"),
    TEXT("gcp.vertex.agent.invocation_id"),
    extra=ExtraKeys.KEPT,
)
_SPAN = Schema(
    "a span",
    TEXT("name"),
    TEXT_OR_WHOLE("span_id trace_id parent_span_id"),
    ANYTHING("start_time end_time"),  # what is no time is named where it is read
    OBJECT_OR_LIST("attributes", of=_ATTRIBUTES),
)
_LATENCY = Schema("a latency", TEXT("name type"), NUMBER("duration_seconds"))
_LATENCY.add(LIST("children", of=_LATENCY, entries=OBJECT))
_CALL = TEXT("tool_name call_id") | OBJECT("input_arguments") | ANYTHING("output_result")
TOOL_INTERACTION = Schema("a tool interaction", _CALL, TEXT("status"))
EXPECTED_CALL = Schema("an expected call", _CALL)
_DECLARATION = Schema(
    "a function's declaration",
    TEXT("name description"),
    ANYTHING("parameters parameters_json_schema response response_json_schema behavior"),
)
_TOOL = Schema("a tool", LIST("function_declarations", of=_DECLARATION, entries=OBJECT))
_WORDS = Schema("an agent's words", TEXT("agent_name text_response"), TEXT_OR_NUMBER("timestamp"))
EXTRACTED = Schema(
    "extracted data",
    OBJECT("state_variables"),
    TEXT("system_instruction"),
    LIST("tool_interactions", of=TOOL_INTERACTION, entries=OBJECT),
    LIST("sub_agent_trace", of=_WORDS, entries=OBJECT),
    LIST("tool_declarations", of=_TOOL, entries=OBJECT),
    LIST("per_turn_tokens", of=USAGE, entries=OBJECT),
    LIST("conversation_history", of=_CONTENT, entries=OBJECT),
    LIST("grounding_chunks", entries=OBJECT),
    LIST("thinking_trace stop_reasons", entries=TEXT),
    extra=ExtraKeys.KEPT,
)
REFERENCE = Schema(
    "reference data",
    LIST("reference_tool_interactions", of=EXPECTED_CALL, entries=OBJECT),
    LIST("reference_trajectory", entries=TEXT),
    TEXT_OR_LIST("expected_response_contains", entries=TEXT),
    TEXT("reference_response"),
    extra=ExtraKeys.KEPT,
)
_RUBRIC = Schema("a rubric", OBJECT("content", of=RUBRIC_CONTENT), TEXT("rubric_id"), extra=ExtraKeys.KEPT)
_RUBRIC_VERDICT = Schema(
    "a rubric's verdict", OBJECT("evaluated_rubric", of=_RUBRIC), BOOLEAN("verdict"), TEXT("reasoning")
)
_RESULT = Schema(
    "a metric's result",
    ANYTHING("score input"),  # what is no number is named where it is read
    TEXT("explanation"),
    OBJECT("details"),
    LIST("rubric_verdicts", of=_RUBRIC_VERDICT),
    TEXT_OR_OBJECT("error"),
    extra=ExtraKeys.KEPT,
)
ROW = Schema(
    "a row",
    TEXT_OR_LIST("user_inputs", entries=TEXT),
    TEXT_OR_OBJECT("final_response"),
    TEXT_OR_WHOLE("question_id session_id run_id ADK_USER_ID"),
    TEXT("app_name base_url interaction_datetime USER"),
    LIST("agents_evaluated trace_summary", entries=TEXT),
    LIST("session_trace", of=_SPAN),
    LIST("latency_data", of=_LATENCY, entries=OBJECT),
    OBJECT("request", of=Schema("a request", LIST("contents", of=_CONTENT, entries=OBJECT))),
    OBJECT("response", of=Schema("a response", LIST("candidates", of=_CANDIDATE, entries=OBJECT))),
    OBJECT("status question_metadata missing_information"),
    OBJECT("reference_data", of=REFERENCE),
    OBJECT("final_session_state", of=_SESSION),
    OBJECT("extracted_data", of=EXTRACTED),
    OBJECT("eval_results", named=_RESULT),
    extra=ExtraKeys.KEPT,
)
QUESTION = Schema(
    "a question",
    TEXT_OR_WHOLE("id"),
    TEXT_OR_LIST("user_inputs", entries=TEXT),
    LIST("agents_evaluated", entries=TEXT),
    OBJECT("metadata"),
    OBJECT("reference_data", of=REFERENCE),
    TEXT("updated_datetime"),
    extra=ExtraKeys.KEPT,
)
_RANGE = OBJECT_OR_LIST("score_range", of=Schema("a range of scores", NUMBER("min max"), TEXT("description")))
_COLUMN = Schema("a mapping", TEXT("source_column template"), LIST("source_columns", entries=TEXT))
_METRIC = Schema(
    "a metric",
    _RANGE,
    TEXT("metric_type template managed_metric_name"),
    LIST("agents", entries=TEXT),
    OBJECT("dataset_mapping", named=_COLUMN, entries=TEXT_OR_OBJECT),
    BOOLEAN("is_managed use_gemini_format"),
)
METRICS = Schema("a metric file", OBJECT("metrics", named=_METRIC))
_OVERALL = Schema(
    "an overall summary",
    OBJECT("deterministic_metrics", entries=NUMBER),
    OBJECT("llm_based_metrics", named=Schema("an average", _RANGE, NUMBER("average"))),
)
_QUESTION_SUMMARY = Schema(
    "a question's summary",
    TEXT_OR_WHOLE("question_id"),
    OBJECT("deterministic_metrics"),
    OBJECT("llm_metrics", named=_RESULT),
    extra=ExtraKeys.KEPT,
)
SUMMARY = Schema(
    "a summary",
    OBJECT("overall_summary", of=_OVERALL),
    LIST("per_question_summary", of=_QUESTION_SUMMARY),
    TEXT("experiment_id run_type test_description interaction_datetime"),
    extra=ExtraKeys.KEPT,
)
