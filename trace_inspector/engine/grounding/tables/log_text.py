"""Lines of logs as records: time, level, service, message and the fields within the message."""

from __future__ import annotations

import re
from typing import Final

from trace_inspector.engine.grounding.tables.record import Field, Record
from trace_inspector.engine.grounding.tables.text_values import field_of

_TIME: Final = r"(?:\d{4}-\d{2}-\d{2}[T ])?\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?"
_LEVEL: Final = (
    r"TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|trace|debug|info|warn|warning|error|fatal"
)
_SERVICE: Final = r"[A-Za-z][\w./-]{0,59}"
_BAR: Final = r"[ ]{0,4}\|[ ]{0,4}"
_SHAPES: Final = (
    re.compile(
        rf"\[?(?P<time>{_TIME})\]?[ \t]{{1,4}}\[?(?P<level>{_LEVEL})\]?:?[ \t]{{1,8}}"
        rf"(?:\[?(?P<service>{_SERVICE})\]?(?::|[ ]-)[ \t]{{1,4}})?(?P<message>\S.*)"
    ),
    re.compile(rf"(?P<time>{_TIME}){_BAR}(?P<service>{_SERVICE}){_BAR}(?P<level>{_LEVEL}){_BAR}(?P<message>\S.*)"),
    re.compile(rf"(?P<time>{_TIME}){_BAR}(?P<level>{_LEVEL}){_BAR}(?P<service>{_SERVICE}){_BAR}(?P<message>\S.*)"),
    re.compile(
        rf"\[?(?P<level>{_LEVEL})\]?:?[ \t]{{1,8}}\[?(?P<time>{_TIME})\]?[ \t]{{1,4}}"
        rf"(?:\[?(?P<service>{_SERVICE})\]?:[ \t]{{1,4}})?(?P<message>\S.*)"
    ),
    re.compile(
        r"(?P<time>\w{3}[ ]{1,2}\d{1,2} \d{2}:\d{2}:\d{2}) \S{1,60} "
        rf"(?P<service>{_SERVICE})(?:\[\d{{1,9}}\])?: (?P<message>\S.*)"
    ),
)
_PAIR: Final = re.compile(r"(?<![\w=])([A-Za-z_][\w.]{0,39})=(\"[^\"]{0,400}\"|[^\s\"]{1,200})")
_NAMES: Final = {
    "ts": "time", "time": "time", "timestamp": "time", "at": "time", "level": "level", "lvl": "level",
    "severity": "level", "svc": "service", "service": "service", "component": "service", "logger": "service",
    "app": "service", "msg": "message", "message": "message",
}  # fmt: skip
_MAX_PAIRS: Final = 30


def log_record(line: str) -> Record | None:
    """The record of a line of a log; none when it has no time with a level or a service."""
    text = line.strip()
    for shape in _SHAPES:
        match = shape.fullmatch(text)
        if match:
            return _shaped(match)
    return _pairs(text)


def _shaped(match: re.Match[str]) -> Record:
    named = match.groupdict()
    fields = [field_of(key, named[key]) for key in ("time", "level", "service") if named.get(key)]
    fields.append(Field("message", named["message"], named["message"]))
    taken = {field.key for field in fields}
    for pair in list(_PAIR.finditer(named["message"]))[:_MAX_PAIRS]:
        if pair[1] not in taken:
            taken.add(pair[1])
            fields.append(field_of(pair[1], pair[2].strip('"')))
    return Record(tuple(fields))


def _pairs(text: str) -> Record | None:
    """A line that is all keys and values: ts=… level=… msg="…"."""
    fields: dict[str, Field] = {}
    for pair in list(_PAIR.finditer(text))[:_MAX_PAIRS]:
        key = _NAMES.get(pair[1].lower(), pair[1])
        value = pair[2].strip('"')
        if key not in fields:
            fields[key] = Field(key, value, value) if key == "message" else field_of(key, value)
    if "time" not in fields or not {"level", "message"} & fields.keys():
        return None
    return Record(tuple(fields.values()))
