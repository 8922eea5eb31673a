"""Sessions of opencode as it exports them, their messages as its server gives them, and what it prints of a run."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.recogniser import All, Either, Keys, Within

_PRINTED_PART = All(Keys("sessionID", "type", "timestamp"), Within("part", Keys("messageID", "type")))


def is_printed_error(fields: Fields) -> bool:
    """That something went wrong, which is told without a part; of a run that never began it is all."""
    return fields.text("type") == "error" and Keys("sessionID", "error")(fields)


PRINTED = Either(_PRINTED_PART, is_printed_error)
