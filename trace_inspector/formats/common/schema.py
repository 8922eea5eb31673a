"""What a kind of object may hold, key by key: one `Schema` for all formats, and the check by it.

Why these are no models of pydantic: docs/decisions/0043-schemas-of-formats.md.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Set
from functools import cached_property

from trace_inspector.core.finding import Finding, error, info, warning
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, Report, by_spelling, camel, kind_of, number_of, objects_in


class ExtraKeys(enum.Enum):
    """What google-adk does with a key it does not know; of a service, whose schema grows, such a key is reported."""

    REJECTED = "rejected"
    DROPPED = "dropped"
    KEPT = "kept"
    REPORTED = "reported"


class Presence(enum.Enum):
    """Whether a key may be absent, and whether it may be null."""

    OPTIONAL = "optional"
    NEVER_NULL = "never null"
    REQUIRED = "required"  # and never null


NEVER_NULL, REQUIRED = Presence.NEVER_NULL, Presence.REQUIRED


class Kind:
    """A kind of value. Called with names, it makes the fields of a schema that are of this kind."""

    __slots__ = ("_words", "types")

    def __init__(self, words: str, *types: type) -> None:
        self._words = words
        self.types = types

    def __call__(
        self,
        names: str,
        presence: Presence = Presence.OPTIONAL,
        *,
        of: Schema | None = None,
        named: Schema | None = None,
        entries: Kind | None = None,
    ) -> dict[str, Field]:
        """Fields by name, names with blanks between them; see `Field` for what stands inside."""
        return dict.fromkeys(names.split(), Field(self, presence, of, named, entries))

    def misfit(self, value: Json) -> str:
        """What a value should be and is, as the end of a sentence; "" where it fits."""
        if number_of(value) is not None if self is NUMBER else isinstance(value, self.types):
            return ""
        is_number = self is NUMBER and isinstance(value, int | float) and not isinstance(value, bool)
        return f"{self._words}, not {'one without end' if is_number else kind_of(value)}"


TEXT = Kind("a text", str)
NUMBER = Kind("a number", int, float, str)  # in a text too, as long as it is one
OBJECT = Kind("an object", dict)
LIST = Kind("a list", list)
BOOLEAN = Kind("true or false", bool)
OBJECT_OR_LIST = Kind("an object or a list", dict, list)
TEXT_OR_LIST = Kind("a text or a list", str, list)
TEXT_OR_OBJECT = Kind("a text or an object", str, dict)
TEXT_OR_WHOLE = Kind("a text or a whole number", str, int)
TEXT_OR_NUMBER = Kind("a text or a number", str, int, float)
ANYTHING = Kind("anything", object)


class Field:
    """What a key may hold."""

    __slots__ = ("entries", "fitting", "has_more", "kind", "named", "nullable", "of", "required")

    def __init__(
        self, kind: Kind, presence: Presence, of: Schema | None, named: Schema | None, entries: Kind | None
    ) -> None:
        self.kind = kind
        self.fitting = () if kind is NUMBER else kind.types  # whose values need no closer look
        self.required = presence is Presence.REQUIRED
        self.nullable = presence is Presence.OPTIONAL
        self.of = of  # the object, or each object in the list
        self.named = named  # each object in the object, under names of the file's own
        self.entries = entries  # every member of the object or the list
        self.has_more = of is not None or named is not None or entries is not None


class Schema:
    """The keys of one kind of object, as google-adk 2.13 or a service has them."""

    def __init__(
        self,
        name: str,
        *fields: Mapping[str, Field],
        extra: ExtraKeys = ExtraKeys.REPORTED,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name  # with article, for sentences: "an invocation"
        self.fields: dict[str, Field] = {}
        self.extra = extra
        self.aliases = aliases or {}  # other tools' keys that are understood, each with the key it stands for
        self.add(*fields)

    def add(self, *fields: Mapping[str, Field]) -> None:
        """Take more fields, as those that hold objects of this very kind; only before anything is checked."""
        for some in fields:
            self.fields.update(some)

    @cached_property
    def by_key(self) -> Mapping[str, Field]:
        """The fields by every key that an object may have for them."""
        return by_spelling(self.fields)

    @cached_property
    def required(self) -> tuple[tuple[str, Set[str]], ...]:
        """Each name that must be there, with everything that may stand in its place."""
        return tuple(
            (name, {name, camel(name), *(key for key, meant in self.aliases.items() if meant == name)})
            for name, field in self.fields.items()
            if field.required
        )


def check(fields: Fields, schema: Schema, report: Report) -> None:
    """Report unknown keys, missing keys and wrong kinds of an object, and of those in it that have a schema."""
    remaining = _checked(fields, schema, report)
    while remaining:
        owner, expected = remaining.pop()
        remaining += _checked(owner, expected, report)


def _checked(owner: Fields, schema: Schema, report: Report) -> list[tuple[Fields, Schema]]:
    """Report what is odd in one object; the objects in it that are to be checked as well."""
    by_key = schema.by_key
    members: list[tuple[str, Json, Field]] = []
    for key, value in owner.value.items():
        field = by_key.get(key)
        if field is None:
            if schema.extra is not ExtraKeys.KEPT or key in schema.aliases:
                _report_unknown(owner, key, schema, report)
        elif value is None:
            if not field.nullable:
                report.add(error("wrong-type", f"“{key}” of {schema.name} is null.", join(owner.place, key)))
        else:
            if not isinstance(value, field.fitting) and (misfit := field.kind.misfit(value)):
                message = f"“{key}” of {schema.name} should be {misfit}."
                report.add(error("wrong-type", message, join(owner.place, key)))
            if field.has_more and value and isinstance(value, dict | list):
                members.append((key, value, field))
    for name, keys in schema.required:
        if keys.isdisjoint(owner.value):
            report.add(error("missing-field", f"“{name}” is missing in {schema.name}.", owner.place))
    return _inside(owner, schema, members, report) if members else []


def _inside(
    owner: Fields, schema: Schema, members: list[tuple[str, Json, Field]], report: Report
) -> list[tuple[Fields, Schema]]:
    """The objects in some members, each with its schema; entries of a wrong kind are reported."""
    inside: list[tuple[Fields, Schema]] = []
    for key, value, field in members:
        place = f"{owner.place}/{key}"  # our names need no escape
        if field.entries is not None:
            report.take(_odd_entries(value, field.entries, f"“{key}” of {schema.name}", place))
        if field.of is not None:
            inner = [Fields(value, place)] if isinstance(value, dict) else objects_in(value, place)
            inside += [(each, field.of) for each in inner]
        if field.named is not None and isinstance(value, dict):
            inner = [Fields(each, join(place, name)) for name, each in value.items() if isinstance(each, dict)]
            inside += [(each, field.named) for each in inner]
    return inside


def _odd_entries(value: Json, kind: Kind, owner: str, place: str) -> Iterator[Finding]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for index, entry in entries:
        if entry is not None and (misfit := kind.misfit(entry)):
            yield error("wrong-type", f"An entry of {owner} should be {misfit}.", join(place, index))


def _report_unknown(owner: Fields, key: str, schema: Schema, report: Report) -> None:
    place = join(owner.place, key)
    meant = schema.aliases.get(key)
    used = "Its value is not shown, but stays in the file." if meant is None else "Trace Inspector reads it."
    if schema.extra is ExtraKeys.REJECTED:
        fix = f"write “{meant}”" if meant else "remove it"
        report.add(warning("unknown-key", f"google-adk 2.13 rejects “{key}” in {schema.name}: {fix}. {used}", place))
    elif schema.extra is ExtraKeys.REPORTED:
        message = f"“{key}” is not a known key of {schema.name}: it is newer than this program, or misspelt."
        report.add(info("unknown-key", f"{message} It stays in the file as it is.", place))
    elif schema.extra is ExtraKeys.DROPPED:
        report.add(info("unknown-key", f"google-adk 2.13 discards “{key}” in {schema.name}. {used}", place))
    elif meant and owner.key(meant) is None:
        message = f"“{key}” of {schema.name} is the key of another tool; google-adk 2.13 expects “{meant}”. {used}"
        report.add(warning("other-spelling", message, place))
    elif meant is not None:
        message = (
            f"“{key}” of {schema.name} is the key of another tool; google-adk 2.13 keeps it but does not read it. "
            f"{used}"
        )
        report.add(info("other-spelling", message, place))
