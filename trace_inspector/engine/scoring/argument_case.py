"""Names of arguments as a golden spells them, where a trace has the same in camelCase or snake_case."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from trace_inspector.core.trace.parts import Part, ToolCall
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.values import Absent, Json

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def respelled(observed: Turn, golden: Turn) -> Turn:
    """The observed turn; what its calls name as the golden does but for the spelling is spelled as there."""
    names = {_plain(name): name for call in calls_of(golden) for name in _names(call.args)}
    events = tuple(
        replace(
            event, parts=tuple(_call(part, names) if isinstance(part, ToolCall) else part for part in event.parts)
        )
        for event in observed.events
    )
    return replace(observed, events=events)


def _call(call: ToolCall, names: Mapping[str, str]) -> Part:
    return call if isinstance(call.args, Absent) else replace(call, args=_value(call.args, names))


def _value(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, list):
        return [_value(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    spelled = {name: names.get(_plain(name), name) for name in value}
    if len(set(spelled.values())) < len(spelled):  # two names that differ in nothing else stay different
        spelled = dict(zip(value, value, strict=True))
    return {spelled[name]: _value(item, names) for name, item in value.items()}


def _names(value: Json | Absent) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield name
            yield from _names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)


def _plain(name: str) -> str:
    return _WORD.sub("_", name).lower()
