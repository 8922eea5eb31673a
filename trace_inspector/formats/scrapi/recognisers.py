"""Recognises SCRAPI's files by the keys of each kind of test and of result."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import objects_in
from trace_inspector.formats.common.recogniser import LOOKED_AT, All, Either, Holds, Keys, Some

REFERENCE = Some("turns", Either(Holds("expected_agent", str), Holds("expected_tool", str)))
CONVERSATION = All(Holds("conversation", str), Keys("turns"))
SINGLE_TURN = All(Holds("conversation", str), Keys("expectations"))
SIMULATION = Some("steps", Keys("goal"), of=None)
TOOL_TEST = All(Holds("tool", str), Keys("expectations"))

RUNS = Some("runs", Keys("evaluation_status"))
OBSERVED = All(Holds("golden_id", str), Some("turns", Keys("observed_agent_response")))
# A line of the combined report: of a golden, a simulation or a tool test.
REPORTED = Either(
    All(
        Keys("name"),
        Holds("passed", bool),
        Either(
            Some("expectations", Keys("justification")),
            Some("turns", Keys("comparisons")),
            Keys("session_parameters"),
        ),
    ),
    Keys("test_name", "status"),
)
_A_RESULT = Either(RUNS, OBSERVED, REPORTED)


def results(value: Json) -> int:
    """One result, a list of them, or a list with the time that all took around it."""
    listed, _place = listed_results(value, "")
    looked_at = [value] if listed is None else listed[:LOOKED_AT]
    return 88 if any(map(_A_RESULT, objects_in(looked_at, ""))) else 0


def listed_results(value: Json, place: str) -> tuple[list[Json] | None, str]:
    """The results in a file and the place of their list; None for a lone one."""
    if isinstance(value, list):
        return value, place
    listed = as_object(value).get("results")
    return (listed, f"{place}/results") if isinstance(listed, list) else (None, place)


def as_object(value: Json) -> JsonObject:
    """A value that is an object, else one without members."""
    return value if isinstance(value, dict) else {}
