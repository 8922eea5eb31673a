"""What a format can hold of a golden, found out by changing one that is made for that."""

from __future__ import annotations

from functools import lru_cache

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.golden.golden_change import Calls, ExpectedCall
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import Absent, JsonObject
from trace_inspector.formats import FORMATS
from trace_inspector.models.golden.field import GoldenField

_PLACE = "/cases/0"
NOT_HERE = "Goldens of this format cannot be edited here. Convert the file, and edit the new one."


def refusal(format_name: str, field: GoldenField, *, scenario: bool) -> str:
    """Why goldens of a format have no place for a field, as a sentence; "" when they have one."""
    format_ = next((known for known in FORMATS if known.name == format_name), None)
    editing = format_.editing if format_ is not None else None
    if format_ is None or editing is None:
        return NOT_HERE
    field = field.probed or field
    try:
        raw, before = probe(format_name, scenario=scenario)
        for change in field.change(before, field.probe):
            raw = editing.changed(raw, editing.read(raw, _PLACE, ""), change)
        now = field.value(editing.read(raw, _PLACE, ""))
    except InspectorError as refused:
        return refused.sentence
    if isinstance(now, Absent) or not same(now, field.probe):
        return f"{format_.title} has no place for this."
    return ""


@lru_cache(maxsize=32)
def probe(format_name: str, *, scenario: bool) -> tuple[JsonObject, Case]:
    """A small golden in the format, as it stands in a file and as it is read."""
    editing = next(known.editing for known in FORMATS if known.name == format_name)
    assert editing is not None
    turn = Turn(0, id="turn", user=(Text("Hello"),), final_response=(Text("Hi."),))
    told = Scenario("", "Say hello.") if scenario else None
    case = Case("probe", title="Probe", scenario=told, turns=() if scenario else (turn,))
    raw, _losses = editing.written(case)
    read = editing.read(raw, _PLACE, "")
    if read.turns:
        expected = Calls(read.turns[0].place, (ExpectedCall(ToolCall("find", {"seats": 2})),))
        raw = editing.changed(raw, read, expected)
    return raw, editing.read(raw, _PLACE, "")
