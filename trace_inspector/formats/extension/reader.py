"""What people wrote under `traceInspector`: matchers, notes, overrules. What is broken is named, and is harmless."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from trace_inspector.core.errors import EditError
from trace_inspector.core.finding import warning
from trace_inspector.core.golden.matcher import Match, Matcher, Note
from trace_inspector.core.values.pointer import join, resolve, split
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.common.fields import Fields, Report, fields_of, kind_of
from trace_inspector.formats.extension.key import KEY, VERSION, is_ours

UNUSED = "reserved-key"  # the code of what stands under the key and is not used
_MAX_PATTERN = 1000
_TABLES = ("origin", "leftovers", "file", "matchers", "notes")


class Beside(Struct, frozen=True):
    """What people wrote under the key. Places are those of the values that it is about."""

    matchers: tuple[Matcher, ...] = ()
    notes: tuple[Note, ...] = ()
    overrules: tuple[Json, ...] = ()


def beside(owner: Fields, report: Report) -> Beside:
    """What an object carries under the key."""
    ours = owner.value.get(KEY, ABSENT)
    if ours is ABSENT:
        return Beside()
    reader = _TableReader(owner, report)
    place = join(owner.place, KEY)
    if not isinstance(ours, dict):
        reader.warn(f"“{KEY}” should be an object, not {kind_of(ours)}", place)
        return Beside()
    if not is_ours(ours):
        reader.warn(f"“{KEY}” has an unknown version; the known one is {VERSION}", place)
        return Beside()
    for name in _TABLES:
        if not isinstance(ours.get(name, {}), dict):
            reader.warn(f"“{name}” should be an object, not {kind_of(ours[name])}", join(place, name))
    overrules = ours.get("overrules", [])
    if not isinstance(overrules, list):
        reader.warn(f"“overrules” should be a list, not {kind_of(overrules)}", join(place, "overrules"))
    return Beside(
        tuple(reader.matchers(ours.get("matchers"), join(place, "matchers"))),
        tuple(reader.notes(ours.get("notes"), join(place, "notes"))),
        tuple(overrules) if isinstance(overrules, list) else (),
    )


class _TableReader(Struct, frozen=True):
    owner: Fields
    report: Report

    def warn(self, what: str, place: str) -> None:
        self.report.add(warning(UNUSED, f"{what}; it is not used, but stays in the file.", place))

    def matchers(self, table: Json, place: str) -> Iterator[Matcher]:
        for target, stated, entry_place in self._entries(table, place):
            matcher = matcher_of(stated, target)
            if isinstance(matcher, str):
                self.warn(matcher, entry_place)
            else:
                yield matcher

    def notes(self, table: Json, place: str) -> Iterator[Note]:
        for target, stated, entry_place in self._entries(table, place):
            if isinstance(stated, str):
                yield Note(target, stated)
            else:
                self.warn(f"A note should be a text, not {kind_of(stated)}", entry_place)

    def _entries(self, table: Json, place: str) -> Iterator[tuple[str, Json, str]]:
        """The place that an entry is about, its value, and its own place."""
        for pointer, stated in table.items() if isinstance(table, dict) else ():
            entry_place = join(place, pointer)
            try:
                tokens = split(pointer)
            except EditError:
                self.warn(f"“{pointer}” is not a JSON Pointer", entry_place)
                continue
            if resolve(self.owner.value, pointer) is ABSENT:
                self.warn(f"There is no value at “{pointer}”", entry_place)
            else:
                yield join(self.owner.place, *tokens), stated, entry_place


def matcher_of(stated: Json, place: str = "") -> Matcher | str:
    """The matcher for a place; in words why there is none."""
    fields = fields_of(stated, place)
    rule = _RULES.get(fields.text("match") or "")
    if rule is None:
        return f"A matcher needs “match”, one of {', '.join(_RULES)}"
    return rule.make(fields, place) or f"A matcher “{fields.text('match')}” needs {rule.needs}"


class _Rule(Struct, frozen=True):
    make: Callable[[Fields, str], Matcher | None]
    needs: str = ""


def _bare(match: Match) -> _Rule:
    return _Rule(lambda _fields, place: Matcher(place, match))


def _contains(fields: Fields, place: str) -> Matcher | None:
    text = fields.text("text")
    return None if text is None else Matcher(place, Match.CONTAINS, text)


def _regexp(fields: Fields, place: str) -> Matcher | None:
    pattern = fields.text("pattern")
    if pattern is None or len(pattern) > _MAX_PATTERN:
        return None
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None
    return Matcher(place, Match.REGEXP, pattern)


def _tolerance(fields: Fields, place: str) -> Matcher | None:
    absolute, relative = fields.number("absolute"), fields.number("relative")
    given = [number for number in (absolute, relative) if number is not None]
    return Matcher(place, Match.TOLERANCE, "", absolute, relative) if given and min(given) >= 0 else None


_RULES: Mapping[str, _Rule] = {
    Match.EXACT.value: _bare(Match.EXACT),
    Match.IGNORE.value: _bare(Match.IGNORE),
    Match.CONTAINS.value: _Rule(_contains, "“text”"),
    Match.REGEXP.value: _Rule(_regexp, f"“pattern”, a regular expression of at most {_MAX_PATTERN} characters"),
    Match.TOLERANCE.value: _Rule(_tolerance, "“absolute” or “relative”, numbers that are not negative"),
    Match.SEMANTIC.value: _bare(Match.SEMANTIC),
    Match.SUBSET.value: _bare(Match.SUBSET),
    Match.ANY.value: _bare(Match.ANY),
}
