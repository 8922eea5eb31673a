"""The events of a rollout, which are what the user saw: what repeats the model's view, and what ends a call."""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats.coding.codex.records import RolloutRecord
from trace_inspector.formats.coding.codex.tool_items import has_failed
from trace_inspector.formats.common.fields import Fields, or_null

SPOKEN_EVENTS = {
    "user_message": "user",
    "agent_message": "assistant",
    "agent_reasoning": "reasoning",
    "agent_reasoning_raw_content": "reasoning",
}
TOOL_EVENTS = ("exec_command_end", "mcp_tool_call_end", "patch_apply_end", "dynamic_tool_call_response")
# Events of the user's view that say nothing which other records do not say as well.
BOOKKEEPING_EVENTS = frozenset(
    {
        "agent_message_delta", "agent_reasoning_delta", "agent_reasoning_section_break",
        "apply_patch_approval_request", "background_event", "collab_agent_interaction_begin",
        "collab_agent_interaction_end", "collab_agent_spawn_begin", "collab_agent_spawn_end", "collab_close_begin",
        "collab_close_end", "collab_resume_begin", "collab_resume_end", "collab_waiting_begin",
        "collab_waiting_end", "deprecation_notice", "elicitation_request", "entered_review_mode",
        "exec_approval_request", "exec_command_begin", "exec_command_output_delta", "exited_review_mode",
        "get_history_entry_response", "guardian_assessment", "hook_completed", "hook_started",
        "image_generation_begin", "image_generation_end", "item_completed", "item_started", "list_skills_response",
        "mcp_list_tools_response", "mcp_startup_complete", "mcp_startup_update", "mcp_tool_call_begin",
        "model_reroute", "patch_apply_begin", "patch_apply_updated", "plan_delta", "plan_update",
        "raw_response_item", "request_permissions", "request_user_input", "session_configured", "shutdown_complete",
        "skills_update_available", "sub_agent_activity", "terminal_interaction", "thread_goal_updated",
        "thread_name_updated", "thread_settings_applied", "turn_diff", "undo_completed", "undo_started",
        "view_image_tool_call", "web_search_begin", "web_search_end",
    }
)  # fmt: skip


def ended_call(record: RolloutRecord) -> tuple[str, Json, Json, bool]:
    """Name, arguments and answer of a call that only the user's view tells, and whether it failed."""
    payload = record.payload
    if record.type == "mcp_tool_call_end":
        invocation = payload.object("invocation") or Fields({}, payload.place)
        result = or_null(payload.get("result"))
        failed = isinstance(result, dict) and ("Err" in result or has_failed(result))
        return invocation.text("tool") or "mcp", or_null(invocation.get("arguments")), result, failed
    if record.type == "patch_apply_end":
        failed = payload.value.get("success") is False
        return "apply_patch", or_null(payload.get("changes")), or_null(payload.get("stdout")), failed
    output = or_null(payload.get("aggregated_output") if payload.key("aggregated_output") else payload.get("stdout"))
    return "exec_command", or_null(payload.get("command")), output, has_failed(payload.value)
