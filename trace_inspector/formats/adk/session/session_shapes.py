"""The objects of ADK's sessions as google-adk 2.13 has them."""

from __future__ import annotations

from trace_inspector.formats.common.fields import ANYTHING, BOOLEAN, LIST, NUMBER, OBJECT, STRING, Extra, Field, Shape

SESSION = Shape(
    "a session",
    {
        "id": Field(STRING, required=True, nullable=False),
        "app_name": Field(STRING, required=True, nullable=False),
        "user_id": Field(STRING, required=True, nullable=False),
        "state": Field(OBJECT, nullable=False),
        "events": Field(LIST, nullable=False),
        "last_update_time": Field(NUMBER, nullable=False),
    },
)
EVENT = Shape(
    "an event",
    {
        "id": Field(STRING, nullable=False),
        "invocation_id": Field(STRING, nullable=False),
        "author": Field(STRING, required=True, nullable=False),
        "timestamp": Field(NUMBER, nullable=False),
        "content": Field(OBJECT),
        "actions": Field(OBJECT, nullable=False),
        "branch": Field(STRING),
        "partial": Field(BOOLEAN),
        "turn_complete": Field(BOOLEAN),
        "finish_reason": Field(STRING),
        "error_code": Field(ANYTHING),
        "error_message": Field(STRING),
        "interrupted": Field(BOOLEAN),
        "model_version": Field(STRING),
        "usage_metadata": Field(OBJECT),
        "grounding_metadata": Field(OBJECT),
        "citation_metadata": Field(OBJECT),
        "custom_metadata": Field(OBJECT),
        "long_running_tool_ids": Field(LIST),
        "output": Field(ANYTHING),
        "node_info": Field(OBJECT),
        "input_transcription": Field(OBJECT),
        "output_transcription": Field(OBJECT),
        "live_session_resumption_update": Field(OBJECT),
        "cache_metadata": Field(OBJECT),
        "avg_logprobs": Field(NUMBER),
        "logprobs_result": Field(OBJECT),
        "interaction_id": Field(STRING),
        "environment_id": Field(STRING),
        "isolation_scope": Field(STRING),
        "live_session_id": Field(STRING),
    },
    Extra.DROPPED,
)
FINISH_REASONS = frozenset(
    {
        "FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "LANGUAGE", "OTHER", "BLOCKLIST",
        "PROHIBITED_CONTENT", "SPII", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
        "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "IMAGE_OTHER", "NO_IMAGE",
    }
)  # fmt: skip
