"""CES's `$matchType` in expected arguments: the plain value that is expected there, and how it is compared."""

from __future__ import annotations

import json
import re

from msgspec import Struct, field

from trace_inspector.core.finding import warning
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.common.fields import Report, kind_of

DIRECTIVE = "$matchType"
_MATCHES = {
    "exact": Match.EXACT,
    "semantic": Match.SEMANTIC,
    "contains": Match.CONTAINS,
    "regexp": Match.REGEXP,
    "ignore": Match.IGNORE,
}
# CES itself writes $matchValue and $originalValue, people write value. What is looked for is the first of these that
# is there; what the argument was like is the first from behind.
_SOUGHT = ("$matchValue", "value", "$originalValue")
_SHOWN = 80  # characters of an unknown match type
# These are held against a text that is looked for; the others against the whole value.
_SEARCHES = frozenset({Match.CONTAINS, Match.REGEXP})


def expected_args(args: Json | Absent, place: str, report: Report) -> tuple[Json | Absent, tuple[Matcher, ...]]:
    """Expected arguments with a plain value in place of every directive, and the directives as matchers."""
    if args is ABSENT:
        return ABSENT, ()
    reader = _DirectiveReader(report)
    return reader.plain(args, place), tuple(reader.matchers)


class _DirectiveReader(Struct):
    report: Report
    matchers: list[Matcher] = field(default_factory=list)

    def plain(self, value: Json, place: str) -> Json:
        if isinstance(value, list):
            return [self.plain(item, join(place, index)) for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if DIRECTIVE in value:
            return self._directed(value, place)
        return {key: self.plain(item, join(place, key)) for key, item in value.items()}

    def _directed(self, value: JsonObject, place: str) -> Json:
        match = self._match(value[DIRECTIVE], join(place, DIRECTIVE))
        sought = next((value[key] for key in _SOUGHT if key in value), ABSENT)
        likely = next((value[key] for key in reversed(_SOUGHT) if key in value), None)
        if sought is ABSENT and match is not Match.IGNORE:
            message = f"This states no value to compare with; CES reads it from {_named(_SOUGHT[:2])}."
            self.report.add(warning("match-value", message, place))
        text = "" if sought is ABSENT else sought if isinstance(sought, str) else json.dumps(sought)
        if match is Match.REGEXP:
            self._check_pattern(text, place)
        self.matchers.append(Matcher(place, match, text if match in _SEARCHES or match is Match.SEMANTIC else ""))
        if match in (*_SEARCHES, Match.IGNORE):
            return likely
        return None if sought is ABSENT else sought

    def _match(self, stated: Json, place: str) -> Match:
        """The way of comparing; an unknown one compares exactly, as CES is documented to do."""
        match = _MATCHES.get(stated.lower()) if isinstance(stated, str) else None
        if match is None:
            shown = f"“{stated[:_SHOWN]}”" if isinstance(stated, str) else kind_of(stated)
            message = f"CES has no match type {shown}, only {_named(tuple(_MATCHES))}; it is compared exactly."
            self.report.add(warning("match-type", message, place))
        return match or Match.EXACT

    def _check_pattern(self, pattern: str, place: str) -> None:
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as problem:
            message = f"This regular expression cannot be used: {problem}. Correct the pattern."
            self.report.add(warning("match-pattern", message, place))


def _named(names: tuple[str, ...]) -> str:
    return ", ".join(f"“{name}”" for name in names)
