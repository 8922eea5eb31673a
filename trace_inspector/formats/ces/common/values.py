"""Protobuf's own types in CES's files as plain values: Struct, Value, ListValue, Any, Timestamp, Duration.

Each has two spellings: the one of JSON ("3.5s", a plain object) and the one of its message ({"seconds": 3, …},
{"fields": {…}}), which clients write that dump messages field by field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from trace_inspector.core.finding import warning
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.common.fields import Fields, Report, number_of

_KINDS = {
    spelling: kind
    for kind in ("null", "number", "string", "bool", "struct", "list")
    for spelling in (f"{kind}Value", f"{kind}_value")
}
_MAX_DEPTH = 100
_NANOS = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d{0,9})?(?:([Zz])|([+-]\d\d:\d\d))?", re.ASCII
)
_DURATION = re.compile(r"(-?)(\d{1,12})(?:\.(\d{1,9}))?s", re.ASCII)
_MOST_SECONDS = 315_576_000_000  # ten thousand years, the most that a Duration may say
_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
_WITH_VALUE = "google.protobuf."  # types that an Any holds under “value”, for they are no objects


def plain(value: Json) -> Json:
    """A Struct as a plain object, whichever way it is spelt; anything else as it stands."""
    return _of_struct(value, 0) if _is_message(value) else value


def any_message(value: Json) -> tuple[str, Json]:
    """The type of an Any without its host, and what it holds; the type is "" for what is no Any."""
    if not isinstance(value, dict):
        return "", value
    url = next((url for key in ("@type", "typeUrl", "type_url") if isinstance(url := value.get(key), str)), "")
    kind = url.rpartition("/")[2]
    if kind.startswith(_WITH_VALUE) and "value" in value:
        return kind, plain(value["value"])
    return kind, {key: member for key, member in value.items() if key != "@type"} if kind else value


def time_nanos(value: Json | Absent) -> int | None:
    """A Timestamp as nanoseconds since 1970; None for what is none."""
    if isinstance(value, dict):
        return _of_seconds(value)
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    date, clock, fraction, _zulu, offset = match.groups()
    try:
        since = datetime.fromisoformat(f"{date}T{clock}{offset or '+00:00'}") - _EPOCH
    except ValueError:
        return None
    return (since.days * 86_400 + since.seconds) * _NANOS + int((fraction or "").ljust(9, "0"))


def duration_nanos(value: Json | Absent) -> int | None:
    """A Duration as nanoseconds; None for what is none."""
    if isinstance(value, dict):
        return _of_seconds(value)
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    sign, seconds, fraction = match.groups()
    nanos = int(seconds) * _NANOS + int((fraction or "").ljust(9, "0"))
    return _within(-nanos if sign else nanos)


def time_of(fields: Fields, name: str, report: Report) -> int | None:
    """The Timestamp under a key as nanoseconds since 1970; with a finding for what is none."""
    return _reported_nanos(fields, name, time_nanos(fields.get(name)), "time", report)


def duration_of(fields: Fields, name: str, report: Report) -> int | None:
    """The Duration under a key as nanoseconds; with a finding for what is none."""
    return _reported_nanos(fields, name, duration_nanos(fields.get(name)), "duration", report)


def seconds(nanos: int | None) -> float | None:
    """Nanoseconds as seconds."""
    return None if nanos is None else nanos / _NANOS


def status_text(status: Fields) -> str:
    """A google.rpc.Status, or an error of JSON-RPC, as a sentence; "" for an empty one."""
    code, message = status.get("code"), status.text("message")
    if isinstance(code, float) and code.is_integer():  # protobuf takes 13.0 for 13
        code = int(code)
    texts = (str(code) if isinstance(code, str | int) and code else "", message)
    return ": ".join(words for words in texts if words)


def _reported_nanos(fields: Fields, name: str, nanos: int | None, what: str, report: Report) -> int | None:
    if nanos is None and fields.get(name) not in (ABSENT, None, ""):
        report.add(
            warning(
                f"unknown-{what}", f"This is not a {what} that Trace Inspector understands.", fields.pointer(name)
            )
        )
    return nanos


def _of_seconds(value: JsonObject) -> int | None:
    whole, part = (_integer(value.get(key, 0)) for key in ("seconds", "nanos"))
    if whole is None or part is None or not value.keys() & {"seconds", "nanos"}:
        return None
    return _within(whole * _NANOS + part)


def _within(nanos: int) -> int | None:
    return nanos if abs(nanos) <= _MOST_SECONDS * _NANOS else None


def _integer(value: Json) -> int | None:
    """A whole number, also as a text, as JSON spells large ones."""
    if isinstance(value, str):
        return int(value) if _WHOLE.fullmatch(value) else None
    number = number_of(value)
    return int(number) if number is not None and number.is_integer() else None


def _is_message(value: Json) -> bool:
    """Whether an object is a Struct field by field: nothing but “fields”, each of them a Value."""
    if not isinstance(value, dict) or value.keys() != {"fields"}:
        return False
    members = value["fields"]
    if isinstance(members, list):
        return bool(members) and all(isinstance(member, dict) and "key" in member for member in members)
    return isinstance(members, dict) and all(_kind_key(member) for member in members.values())


def _kind_key(value: Json) -> str | None:
    """The key that gives the kind of a Value; one client repeats it under “kind”."""
    if not isinstance(value, dict) or len(value) > 2:
        return None
    kinds = [key for key in value if key in _KINDS]
    return kinds[0] if len(kinds) == 1 and value.keys() <= {kinds[0], "kind"} else None


def _of_struct(value: Json, depth: int) -> Json:
    if not isinstance(value, dict) or depth > _MAX_DEPTH:
        return value
    return {name: _of_value(member, depth + 1) for name, member in _entries(value.get("fields"))}


def _entries(fields: Json) -> Iterator[tuple[str, Json]]:
    """The members of a map, which some clients write as a list of entries."""
    if isinstance(fields, dict):
        yield from fields.items()
    for entry in fields if isinstance(fields, list) else []:
        if isinstance(entry, dict):
            yield str(entry.get("key")), entry.get("value")


def _of_value(value: Json, depth: int) -> Json:
    key = _kind_key(value)
    if key is None or not isinstance(value, dict) or depth > _MAX_DEPTH:
        return value
    inner = value[key]
    match _KINDS[key]:
        case "null":
            return None
        case "struct":
            return _of_struct(inner, depth + 1)
        case "list":
            listed = inner.get("values") if isinstance(inner, dict) else inner
            return [_of_value(item, depth + 1) for item in listed] if isinstance(listed, list) else []
    return inner
