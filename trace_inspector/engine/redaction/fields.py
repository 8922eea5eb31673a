"""Fields that readers fill from keys of files, with how those keys are spelled: by their letters alone."""

from __future__ import annotations

from collections.abc import Mapping

_USER = ("user", "userid")
_APP = ("app", "appname")
_SESSION = ("session", "sessionid")
_TRACE = (*_SESSION, "id", "traceid", "conversation", "conversationid")
_CASE = ("id", "evalid", "evalcaseid", "caseid")
_SUITE = ("evalsetid", "datasetid", "suiteid")
_AUTHOR = ("author", "agentname")
_TURN = ("id", "invocationid", "turnid")
_CALL = ("id", "callid", "toolcallid")

SPELLED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("Trace", "user"): _USER,
    ("Session", "user"): _USER,
    ("Trace", "app"): _APP,
    ("Session", "app"): _APP,
    ("Trace", "id"): _TRACE,
    ("CaseVerdict", "trace_id"): _TRACE,
    ("Trace", "session_id"): _TRACE,
    ("Session", "id"): _TRACE,
    ("CaseVerdict", "session_id"): _TRACE,
    ("Trace", "case_id"): _CASE,
    ("Case", "id"): _CASE,
    ("CaseVerdict", "case_id"): _CASE,
    ("Trace", "suite_id"): _SUITE,
    ("Case", "suite_id"): _SUITE,
    ("CaseVerdict", "suite_id"): _SUITE,
    ("Event", "author"): _AUTHOR,
    ("Turn", "final_author"): _AUTHOR,
    ("ToolCall", "agent"): _AUTHOR,
    ("Event", "id"): ("id", "eventid"),
    ("Event", "span_id"): ("spanid",),
    ("Event", "model"): ("model", "modelversion"),
    ("Event", "error"): ("error", "errormessage"),
    ("Turn", "id"): _TURN,
    ("ToolCall", "call_id"): _CALL,
    ("ToolResult", "call_id"): _CALL,
    ("ToolCall", "parent_id"): ("parenttoolcallid",),
    ("Agent", "instruction"): ("instruction", "instructions", "systeminstruction"),
    ("Agent", "description"): ("description",),
    ("Persona", "description"): ("description",),
    ("Transfer", "target"): ("targetagent",),
    ("Media", "uri"): ("uri", "fileuri", "url"),
    ("Expectation", "note"): ("note",),
}
