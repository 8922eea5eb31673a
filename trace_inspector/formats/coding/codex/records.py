"""The records of a rollout: what the model saw, what the user saw, and the settings of each turn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import Struct

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, Report, or_null
from trace_inspector.formats.common.times import seconds_of

META, ITEM, EVENT, CONTEXT, COMPACTED = "session_meta", "response_item", "event_msg", "turn_context", "compacted"
CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call",
                   "image_generation_call", "tool_call"})  # fmt: skip
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output", "mcp_tool_call_output",
                     "tool_result"})  # fmt: skip
# Events, which are what the user saw, by whose words they repeat.
SPOKEN_EVENTS = {
    "user_message": "user",
    "agent_message": "assistant",
    "agent_reasoning": "reasoning",
    "agent_reasoning_raw_content": "reasoning",
}
TOOL_EVENTS = (
    "exec_command_end", "mcp_tool_call_end", "patch_apply_end", "dynamic_tool_call_response", "tool_call",
)  # fmt: skip
BOOKKEEPING_RECORDS = ("state", "world_state", "inter_agent_communication", "inter_agent_communication_metadata")
# Events of the user's view that say nothing which other records do not say as well.
BOOKKEEPING_EVENTS = frozenset(
    {
        "account/rateLimits/updated", "agent_message_delta", "agent_reasoning_delta",
        "agent_reasoning_section_break", "apply_patch_approval_request", "background_event", "codex/event/raw_item",
        "collab_agent_interaction_begin", "collab_agent_interaction_end", "collab_agent_spawn_begin",
        "collab_agent_spawn_end", "collab_close_begin", "collab_close_end", "collab_resume_begin",
        "collab_resume_end", "collab_waiting_begin", "collab_waiting_end", "deprecation_notice",
        "dynamic_tool_call_request", "elicitation_request", "entered_review_mode", "exec_approval_request",
        "exec_command_begin", "exec_command_output_delta", "exited_review_mode", "get_history_entry_response",
        "guardian_assessment", "hook_completed", "hook_started", "image_generation_begin", "image_generation_end",
        "item_completed", "item_started", "list_skills_response", "mcp_list_tools_response", "mcp_startup_complete",
        "mcp_startup_update", "mcp_tool_call_begin", "model_reroute", "patch_apply_begin", "patch_apply_updated",
        "plan_delta", "plan_update", "raw_response_item", "request_permissions", "request_user_input",
        "session_configured", "shutdown_complete", "skills_update_available", "sub_agent_activity",
        "terminal_interaction", "thread_goal_updated", "thread_name_updated", "thread_settings_applied",
        "turn_diff", "undo_completed", "undo_started", "view_image_tool_call", "web_search_begin", "web_search_end",
    }
)  # fmt: skip
# How messages in the user's name begin that the program wrote.
_INJECTED = (
    "<environment_context>", "<user_instructions>", "# AGENTS.md", "<turn_aborted>", "<permissions instructions>",
    "<skill>", "<skills_instructions>", "<user_shell_command>", "<subagent_notification>", "<collaboration_mode>",
    "<INSTRUCTIONS>", "<personality_spec>", "<hook_prompt", "<model_switch>", "<user_action>",
)  # fmt: skip
_NEAR = 8  # records between a message that the model saw and the same one that the user saw


class RolloutRecord(Struct, eq=False):
    """One record: its kind, and what it carries, which older files have without an envelope."""

    kind: str
    type: str
    fields: Fields
    payload: Fields
    time_s: float | None
    ordinal: int | None
    number: int

    @property
    def place(self) -> str:
        """The pointer of the record."""
        return self.fields.place

    @property
    def role(self) -> str:
        """Whose message it is, "" where it is none."""
        return (self.payload.text("role") or "") if self.kind == ITEM and self.type in ("message", "") else ""


def records_in(value: Json, place: str, report: Report) -> Iterator[RolloutRecord]:
    """Every record of a rollout of either generation."""
    listed = [Fields(value, place)] if isinstance(value, dict) else report.bounded_list(value, place)
    for number, fields in enumerate(listed):
        payload = fields.object("payload")
        kind = fields.text("type") or ""
        if payload is None:
            kind, payload = _kind_without_envelope(fields), fields
        stamp = fields.get("timestamp") if "timestamp" in fields.value else payload.get("timestamp")
        ordinal = fields.value.get("ordinal")
        yield RolloutRecord(
            kind,
            payload.text("type") or "",
            fields,
            payload,
            seconds_of(or_null(stamp)),
            ordinal if isinstance(ordinal, int) else None,
            number,
        )


def _kind_without_envelope(fields: Fields) -> str:
    kind = fields.text("type")
    if kind is None and fields.text("record_type") is not None:
        return fields.text("record_type") or ""
    if kind is None and fields.text("role") is None and fields.text("id") is not None:
        return META
    if kind in ("message", "reasoning", "compaction", "ghost_snapshot") or kind in CALLS | OUTPUTS:
        return ITEM
    return ITEM if kind is None and fields.text("role") is not None else kind or ""


def text_in(listed: Json) -> str:
    """The texts of the blocks of a message."""
    if isinstance(listed, str):
        return listed
    texts = (block.get("text") for block in listed if isinstance(block, dict)) if isinstance(listed, list) else ()
    return "\n".join(text for text in texts if isinstance(text, str))


def item_text(record: RolloutRecord) -> str:
    """The words of a message."""
    return text_in(or_null(record.payload.get("content"))).strip()


def event_text(record: RolloutRecord) -> str:
    """The words of an event."""
    return (record.payload.text("message") or record.payload.text("text") or "").strip()


class RepeatedMessages:
    """Tells which events repeat a message that also stands among what the model saw; both are never taken."""

    def __init__(self, records: Sequence[RolloutRecord]) -> None:
        self._near: dict[str, list[tuple[int, str]]] = {"user": [], "assistant": [], "reasoning": []}
        self._events: set[str] = set()
        for record in records:
            number = record.number
            if record.kind == ITEM and record.type == "reasoning":
                summary = record.payload.objects("summary")
                texts = [part.text("text") or "" for part in (*summary, *record.payload.objects("content"))]
                self._near["reasoning"] += [(number, text.strip()) for text in texts]
            elif record.role in self._near:
                self._near[record.role].append((number, item_text(record)))
            elif record.kind == EVENT and record.type == "user_message":
                self._events.add(event_text(record))
        self._texts = {role: {text for _number, text in said} for role, said in self._near.items()}

    def repeats(self, record: RolloutRecord, role: str) -> bool:
        """Whether an event says what an item of this role says: the same anywhere, or a part of it close by."""
        text = event_text(record)
        if text in self._texts[role]:
            return True
        if not text or role != "user":
            return False
        said = self._near[role]
        first = bisect_left(said, (record.number - _NEAR, ""))
        last = bisect_left(said, (record.number + _NEAR + 1, ""))
        return any(bool(other) and (text in other or other in text) for _number, other in said[first:last])

    def is_injected(self, record: RolloutRecord) -> bool:
        """Whether the program wrote a message in the user's name."""
        text = item_text(record)
        if text in self._events and text:
            return False
        return text.startswith(_INJECTED) or (bool(self._events) and text.startswith("<"))


def follows_reply(told: list[RolloutRecord], number: int) -> bool:
    """Whether a count stands behind the reply that it is of."""
    for record in reversed(told[max(0, number - 4) : number]):
        if record.kind == ITEM:
            return _is_reply(record)
        if record.kind != EVENT or record.type == "user_message":
            return False
    return False


def precedes_reply(told: list[RolloutRecord], number: int) -> bool:
    """Whether the reply that a count is of comes right behind it."""
    for record in told[number + 1 : number + 4]:
        if record.kind == ITEM:
            return _is_reply(record)
        if record.kind != EVENT or record.type in ("user_message", "task_complete", "turn_complete"):
            return False
    return False


def _is_reply(record: RolloutRecord) -> bool:
    return record.type == "reasoning" or record.type in CALLS or record.role == "assistant"
