"""Values of an object under keys that are not read."""

from __future__ import annotations

from collections.abc import Collection

from trace_inspector.core.finding import info
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.formats.common.fields import Fields, Report, spellings

_NAMED = 10
_NAME_CHARS = 60


def extras_of(fields: Fields, *names: str) -> tuple[Extra, ...]:
    """The values under other keys, without empty texts and lists, which dumps fill in."""
    read = spellings(*names)
    return tuple(
        Extra(key, value, join(fields.place, key))
        for key, value in fields.value.items()
        if key not in read and value not in ("", [])
    )


def stated_extras(fields: Fields, *names: str) -> tuple[Extra, ...]:
    """The values under other keys, without those that say nothing either: null, false and empty objects."""
    return tuple(extra for extra in extras_of(fields, *names) if extra.value not in (None, False, {}))


def report_unread(fields: Fields, known: Collection[str], report: Report) -> None:
    """One finding that names the other keys of a configuration, which change nothing here."""
    aside = [key for key in fields.value if key not in known]
    if aside:
        named = ", ".join(f"“{one_line(key, _NAME_CHARS)}”" for key in aside[:_NAMED])
        report.add(info("unread-keys", f"{named}: shown in Raw, and of no effect here.", fields.pointer(aside[0])))
