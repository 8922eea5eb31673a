"""The objects of ADK's sessions as google-adk 2.13 has them."""

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

SESSION = Schema(
    "a session",
    TEXT("id app_name user_id", REQUIRED),
    OBJECT("state", NEVER_NULL),
    LIST("events", NEVER_NULL),
    NUMBER("last_update_time", NEVER_NULL),
    extra=ExtraKeys.REJECTED,
)
EVENT = Schema(
    "an event",
    TEXT("id invocation_id", NEVER_NULL),
    TEXT("author", REQUIRED),
    NUMBER("timestamp", NEVER_NULL),
    OBJECT("content"),
    OBJECT("actions", NEVER_NULL),
    TEXT("branch finish_reason error_message model_version interaction_id environment_id isolation_scope"),
    TEXT("live_session_id"),
    BOOLEAN("partial turn_complete interrupted"),
    ANYTHING("error_code output"),
    OBJECT("usage_metadata grounding_metadata citation_metadata custom_metadata node_info input_transcription"),
    OBJECT("output_transcription live_session_resumption_update cache_metadata logprobs_result"),
    LIST("long_running_tool_ids"),
    NUMBER("avg_logprobs"),
    extra=ExtraKeys.DROPPED,
)
FINISH_REASONS = frozenset(
    {
        "FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "LANGUAGE", "OTHER", "BLOCKLIST",
        "PROHIBITED_CONTENT", "SPII", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
        "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "IMAGE_OTHER", "NO_IMAGE",
    }
)  # fmt: skip
