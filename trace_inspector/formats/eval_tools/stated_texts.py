"""Words under a key that may hold a text or any other value."""

from __future__ import annotations

import json

from trace_inspector.core.trace.parts import Text
from trace_inspector.formats.common.fields import Fields, or_null


def words_in(owner: Fields, name: str) -> tuple[Text, ...]:
    """A text, or another value as JSON; nothing where there is none."""
    value = or_null(owner.get(name))
    if value is None or value == "":
        return ()
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (Text(text, owner.pointer(name)),)
