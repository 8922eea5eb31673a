"""The settings of a CES app that are enumerations: values that CES does not know are reported, and kept."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.values.values import ABSENT
from trace_inspector.formats.ces.common.enums import (
    BACKGROUND,
    CONVERSATION_INITIATOR,
    EXECUTION_MODE,
    GOLDEN_RUN_METHOD,
    TOOL_CALL_BEHAVIOUR,
    Enumeration,
    enum_word,
)
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.schema import ANYTHING, LIST, NUMBER, OBJECT, TEXT, ExtraKeys, Schema, check

TOOL_EXECUTION_MODE = Enumeration(
    "tool execution mode", {"PARALLEL": 1, "SEQUENTIAL": 2}, "TOOL_EXECUTION_MODE_UNSPECIFIED"
)
# The path of each, the last step its key; thresholds and switches are checked where they are read.
_WORDS: tuple[tuple[tuple[str, ...], Enumeration], ...] = (
    (("tool_execution_mode",), TOOL_EXECUTION_MODE),
    (("evaluation_settings", "scenario_conversation_initiator"), CONVERSATION_INITIATOR),
    (("evaluation_settings", "golden_evaluation_tool_call_behaviour"), TOOL_CALL_BEHAVIOUR),
    (("evaluation_settings", "scenario_evaluation_tool_call_behaviour"), TOOL_CALL_BEHAVIOUR),
    (("evaluation_settings", "golden_run_method"), GOLDEN_RUN_METHOD),
    (("evaluation_settings", "scenario_execution_mode"), EXECUTION_MODE),
    (("evaluation_personas", "speech_config", "environment"), BACKGROUND),
)


_VOICE = Schema("a voice", NUMBER("speaking_rate"), ANYTHING("environment"), TEXT("voice_id"))
_PERSONA = Schema("a persona", TEXT("name display_name description personality"), OBJECT("speech_config", of=_VOICE))
# All other settings are shown as they stand.
_APP = Schema(
    "an app",
    TEXT("name display_name description root_agent global_instruction"),
    LIST("evaluation_personas", of=_PERSONA, entries=OBJECT),
    extra=ExtraKeys.KEPT,
)


def check_settings(app: Fields, report: Report) -> None:
    """Report every word that is not one of its enumeration, and what is read and of a wrong kind."""
    check(app, _APP, report)
    for (*way, name), enumeration in _WORDS:
        for owner in _owners(app, way):
            if owner.get(name) is not ABSENT:
                enum_word(owner, name, enumeration, report)


def _owners(fields: Fields, way: list[str]) -> Iterator[Fields]:
    """The objects that a way leads to, each one in a list."""
    if not way:
        yield fields
        return
    inner = fields.object(way[0])
    for owner in [inner] if inner is not None else fields.objects(way[0]):
        yield from _owners(owner, way[1:])
