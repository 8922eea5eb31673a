"""Sessions of Gemini CLI: one object, or lines of which a later one replaces an earlier one; also what it prints."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.recogniser import All, AnyKey, Either, Holds, Keys, Only, Within


def _is_tool(fields: Fields) -> bool:
    return fields.text("type") in ("tool_use", "tool_result") and "tool_id" in fields.value


def _is_beginning(fields: Fields) -> bool:
    return fields.text("type") == "init"


OF_A_TOOL = All(_is_tool, AnyKey("tool_name", "status"))
BEGINNING = All(_is_beginning, Keys("session_id", "model"))
WHOLE_RUN = All(Keys("response"), Within("stats", All(Holds("models", dict), Holds("tools", dict))))
FAILED_RUN = All(Keys("session_id", "error"), Only("session_id", "error"), Within("error", Keys("type", "message")))
PRINTED = Either(OF_A_TOOL, BEGINNING, WHOLE_RUN, FAILED_RUN)
