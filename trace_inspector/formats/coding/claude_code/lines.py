"""The lines of a session, what kind each is, and whether somebody spoke it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.times import seconds_of

# Lines that say something of the program or of the session as a whole, and nothing of what was said or done.
BOOKKEEPING = frozenset(
    {
        "agent-color", "agent-name", "agent-setting", "ai-title", "atis-latch", "attribution-snapshot",
        "bridge-session", "content-replacement", "custom-title", "file-history-delta", "file-history-snapshot",
        "fork-context-ref", "frame-link", "last-prompt", "marble-origami-commit", "marble-origami-snapshot", "mode",
        "permission-mode", "pr-link", "progress", "queue-operation", "rate_limit_event", "relocated",
        "speculation-accept", "started", "stream_event", "tag", "task-summary", "tool_progress", "tool_use_summary",
        "worktree-state",
    }
)  # fmt: skip
# How contents begin that the program put there in the user's name.
_INJECTED = (
    "<command-name>", "<local-command-", "<system-reminder>", "<task-notification>", "<bash-input>", "<bash-stdout>",
    "<bash-stderr>", "<user-memory-input>", "<teammate-message", "Caveat: The messages below",
    "[Request interrupted by user",
)  # fmt: skip
_ALSO_FOR_SUB_AGENTS = frozenset({"human", "coordinator", "peer"})  # who may ask a sub-agent something
_MESSAGES = ("user", "assistant")


class SessionLine(Struct, eq=False):
    """One line: what it says of itself, before anything is made of it."""

    fields: Fields
    kind: str
    uuid: str | None
    parent: str | None
    session: str
    is_side: bool
    agent: str  # the id of the sub-agent that wrote it
    call: str  # the call that started the sub-agent, where the line itself says so
    message: Fields  # empty where it has none
    time_s: float | None

    @property
    def place(self) -> str:
        """The pointer of the line."""
        return self.fields.place

    @property
    def is_message(self) -> bool:
        """Whether it is a message to or from the model."""
        return self.kind in _MESSAGES


def lines_in(value: Json, place: str, report: Report) -> Iterator[SessionLine]:
    """Every line of a file: of a session, of the stream of a run, or of an export with all lines in a list."""
    if isinstance(value, dict):
        listed = value.get("loglines")
        records = report.bounded_list(listed, f"{place}/loglines") if isinstance(listed, list) else []
        records = records or [Fields(value, place)]
    else:
        records = report.bounded_list(value, place)
    for fields in records:
        if isinstance(fields.value.get("loglines"), list):
            yield from map(line_of, report.bounded_list(fields.value["loglines"], f"{fields.place}/loglines"))
        else:
            yield line_of(fields)


def line_of(fields: Fields) -> SessionLine:
    """A record as a line."""
    message = fields.object("message") or Fields({}, fields.place)
    role = message.text("role") or ""
    return SessionLine(
        fields,
        fields.text("type") or (role if role in _MESSAGES else ""),
        fields.text("uuid"),
        fields.text("parentUuid") or fields.text("logicalParentUuid"),
        fields.text("session_id") or "",
        fields.value.get("isSidechain") is True,
        fields.text("agentId") or "",
        fields.text("parent_tool_use_id") or "",
        message,
        seconds_of(fields.value.get("timestamp")),
    )


def first_words(line: SessionLine) -> str | None:
    """The beginning of what a line of the user says; None where it says nothing but what tools answered."""
    content = line.message.get("content")
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if any(block.get("type") == "tool_result" for block in blocks):
        return None
    texts = [text for block in blocks if isinstance(text := block.get("text"), str)]
    return texts[0] if texts else "" if blocks else None


def is_spoken(line: SessionLine) -> bool:
    """Whether a line is what a person said, or for a sub-agent what it was asked."""
    fields = line.fields
    if line.kind != "user" or fields.value.get("isMeta") is True or fields.value.get("isCompactSummary") is True:
        return False
    words = first_words(line)
    if words is None or words.lstrip().startswith(_INJECTED):
        return False
    origin = fields.object("origin")
    kind = origin.text("kind") if origin is not None else None
    if line.is_side or line.call:
        return kind is None or kind in _ALSO_FOR_SUB_AGENTS
    return kind in (None, "human") and fields.text("promptSource") != "system"
