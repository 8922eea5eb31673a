"""BULK_KINDS: the bulk edits that people can choose, each with the fields that it asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from trace_inspector.core.golden.bulk_change import (
    AddRubric,
    AddTag,
    Bulk,
    CompareArgument,
    DeleteCases,
    ExpectAnswer,
    RemoveCalls,
    RemoveTag,
    RenameArgument,
    RenameTool,
    Where,
)
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.engine.scoring.patterns import why_unusable
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.values import NotJson, with_parameter
from trace_inspector.work.golden.bulk_requests import Replacing

Values = Mapping[str, str]
Made = Bulk | Replacing
ON = "on"


class BulkField(Struct, frozen=True):
    """A field of the form. `options` are values with their labels to choose from; `is_switch` is on or off."""

    id: str
    title: str
    options: tuple[tuple[str, str], ...] = ()
    is_switch: bool = False
    is_needed: bool = True


class BulkKind(Struct, frozen=True):
    """One line of BULK_KINDS. `make` returns the edit for the values of the fields."""

    id: str
    title: str
    fields: tuple[BulkField, ...]
    make: Callable[[Values], Made]

    def made(self, values: Values) -> Made | None:
        """The edit; None while a required field is empty. Raises NotJson where a text is no value."""
        needed = (field.id for field in self.fields if field.is_needed and not field.options and not field.is_switch)
        return self.make(values) if all(values.get(name) for name in needed) else None


_TOOL, _ARGUMENT = BulkField("tool", "Tool"), BulkField("argument", "Argument")
_RULES = (
    ("ignore it", Match.IGNORE.value),
    ("any value", Match.ANY.value),
    ("contains the text", Match.CONTAINS.value),
    ("matches the pattern", Match.REGEXP.value),
    ("near the number, within", Match.TOLERANCE.value),
    ("at least what is expected", Match.SUBSET.value),
    ("means the same, decided by a judge", Match.SEMANTIC.value),
    ("exactly equal", Match.EXACT.value),
)
_WITH_TEXT = (Match.CONTAINS, Match.REGEXP, Match.TOLERANCE)
_PLACES = (("Everywhere", ""), *((where.value.capitalize(), where.value) for where in Where))


def _rule(values: Values) -> Matcher:
    rule, text = Matcher("", Match(values.get("rule") or Match.IGNORE.value)), values.get("text", "")
    if rule.match is Match.REGEXP and (why := why_unusable(text)):
        raise NotJson(tr("The pattern cannot be used: {0}.").format(why))
    return with_parameter(rule, text) if rule.match in _WITH_TEXT else rule


def _replacing(values: Values) -> Made:
    where = frozenset([Where(values["where"])]) if values.get("where") else frozenset(Where)
    is_pattern, any_case = values.get("pattern") == ON, values.get("any case") == ON
    return Replacing(where, values["wanted"], values.get("new", ""), is_pattern=is_pattern, any_case=any_case)


BULK_KINDS: tuple[BulkKind, ...] = (
    BulkKind(
        "compare",
        "Change how an argument is compared",
        (_TOOL, _ARGUMENT, BulkField("rule", "Rule", _RULES), BulkField("text", "Text or number", is_needed=False)),
        lambda values: CompareArgument(values["tool"], values["argument"], _rule(values)),
    ),
    BulkKind(
        "replace",
        "Search and replace",
        (
            BulkField("wanted", "Search for"),
            BulkField("new", "Replace with", is_needed=False),
            BulkField("where", "In", _PLACES),
            BulkField("pattern", "A regular expression", is_switch=True),
            BulkField("any case", "Ignore case", is_switch=True),
        ),
        _replacing,
    ),
    BulkKind(
        "rename-tool",
        "Rename a tool",
        (_TOOL, BulkField("name", "New name")),
        lambda values: RenameTool(values["tool"], values["name"]),
    ),
    BulkKind(
        "rename-argument",
        "Rename an argument",
        (_TOOL, _ARGUMENT, BulkField("name", "New name")),
        lambda values: RenameArgument(values["tool"], values["argument"], values["name"]),
    ),
    BulkKind("remove-calls", "Stop expecting a tool", (_TOOL,), lambda values: RemoveCalls(values["tool"])),
    BulkKind("add-tag", "Add a tag", (BulkField("tag", "Tag"),), lambda values: AddTag(values["tag"])),
    BulkKind("remove-tag", "Remove a tag", (BulkField("tag", "Tag"),), lambda values: RemoveTag(values["tag"])),
    BulkKind(
        "expect-answer",
        "Expect an answer",
        (
            BulkField("answer", "Answer (empty: none is expected)", is_needed=False),
            BulkField("last", "Only in the last turn", is_switch=True),
        ),
        lambda values: ExpectAnswer(values.get("answer") or None, values.get("last") == ON),
    ),
    BulkKind(
        "add-rubric",
        "Add a rubric",
        (BulkField("id", "Id"), BulkField("text", "What must be true")),
        lambda values: AddRubric(Rubric(id=values["id"], text=values["text"])),
    ),
    BulkKind("delete", "Delete goldens", (), lambda _values: DeleteCases()),
)
