"""What `opencode run --format json` prints: parts of replies, each as soon as it is whole, without what was asked.

The records are those of run.ts of sst/opencode, MIT.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, or_null

_LOOKED_AT = 20
_ERROR = "error"


def is_printed(value: Json) -> bool:
    """Whether these are the records that a run prints."""
    listed = value[:_LOOKED_AT] if isinstance(value, list) else [value]
    return any(isinstance(one, dict) and "sessionID" in one and isinstance(one.get("part"), dict) for one in listed)


def printed_replies(records: list[Fields]) -> Iterator[tuple[str, Fields, list[Fields]]]:
    """The session, what is known of it, and the parts of each reply in turn; an error stands alone."""
    for (session, identity), group in groupby(records, _reply_of):
        listed = list(group)
        first = listed[0]
        known: dict[str, Json] = {
            "role": "assistant",
            "time": {"created": or_null(first.get("timestamp")), "completed": or_null(listed[-1].get("timestamp"))},
        }
        if identity:
            known["id"] = identity
        for record in listed:
            if record.text("type") == _ERROR:
                known[_ERROR] = or_null(record.get(_ERROR))
        parts = [_part_of(record) for record in listed if record.text("type") != _ERROR]
        yield session, Fields(known, first.place), parts


def _reply_of(record: Fields) -> tuple[str, str]:
    part = record.object("part")
    session = record.text("sessionID") or ""
    return session, (part.text("messageID") or "") if part is not None else ""


def _part_of(record: Fields) -> Fields:
    """The part, or the whole record where it has none."""
    return record.object("part") or record
