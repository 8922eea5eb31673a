"""The names of the case: id, title, description, tags."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Described, GoldenChange, Named, Tagged, Titled
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.field import GoldenField, Kind
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.form_section import FormSection


def make_case(theme: Theme, _context: GoldenContext) -> FormSection:
    """The section."""
    return FormSection(theme, lambda _context: _FIELDS, _summary)


def _summary(context: GoldenContext) -> str:
    case = context.case
    return one_line(" · ".join(part for part in (case.title, case.id, *case.tags) if part), 160)


def _rename(_case: Case, value: Json | Absent) -> Sequence[GoldenChange]:
    return [Named(value)] if isinstance(value, str) else []


def _entitle(_case: Case, value: Json | Absent) -> Sequence[GoldenChange]:
    return [Titled(value)] if isinstance(value, str) else []


def _description(case: Case) -> Json | Absent:
    return next((extra.value for extra in case.extras if extra.name == "description"), ABSENT)


def _describe(_case: Case, value: Json | Absent) -> Sequence[GoldenChange]:
    return [Described(value if isinstance(value, str) else "")]


def _tag(_case: Case, value: Json | Absent) -> Sequence[GoldenChange]:
    return [Tagged(tuple(tag for tag in value if isinstance(tag, str)))] if isinstance(value, list) else []


def _tags(case: Case) -> Json | Absent:
    return [*case.tags] if case.tags else ABSENT


_FIELDS = (
    GoldenField("case-id", "Id", Kind.LINE, "Rename the case", lambda case: case.id, _rename, "renamed"),
    GoldenField(
        "case-title", "Title", Kind.LINE, "Change the title", lambda case: case.title or ABSENT, _entitle, "Other"
    ),
    GoldenField(
        "case-description",
        "Description",
        Kind.TEXT,
        "Describe the case",
        _description,
        _describe,
        "About seats.",
        "None",
    ),
    GoldenField("case-tags", "Tags", Kind.LINES, "Tag the case", _tags, _tag, ["a: b"], "None. One tag a line"),
)
