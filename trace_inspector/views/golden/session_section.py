"""The session in which a case starts, and its expected final state."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case, Session
from trace_inspector.core.golden.golden_change import BeginsWith, EndsWith, GoldenChange
from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.field import GoldenField, Kind
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.expectations_section import expectation_fields
from trace_inspector.views.golden.fields.form_section import FormSection

_STATED: tuple[tuple[str, str, Callable[[Session], str | None]], ...] = (
    ("app", "App", lambda session: session.app),
    ("user", "User", lambda session: session.user),
    ("id", "Session id", lambda session: session.id),
)


def make_session(theme: Theme, _context: GoldenContext) -> FormSection:
    """The section."""
    return FormSection(theme, session_fields, _summary)


def session_fields(context: GoldenContext) -> Sequence[GoldenField]:
    """What is expected further; app, user, id and state at the start; the state at the end."""
    return [*expectation_fields(context), *_FIELDS]


def set_in_session(case: Case) -> list[str]:
    """What is set of session and state, a phrase each."""
    session = case.session or Session()
    phrases = [f"{label.lower()} = {text}" for _id, label, get in _STATED if (text := get(session))]
    phrases += [f"{name} = {compact(value)}" for name, value in (session.state or {}).items()]
    ending = tr("{0} = {1} at the end")
    return [*phrases, *(ending.format(name, compact(value)) for name, value in (case.final_state or {}).items())]


def _summary(context: GoldenContext) -> str:
    phrases = [*_expected(context), *set_in_session(context.case)]
    return (
        one_line(tr("{0} set: {1}").format(len(phrases), ", ".join(phrases)), 160)
        if phrases
        else tr("nothing is set")
    )


def _expected(context: GoldenContext) -> list[str]:
    fields = [(field, field.value(context.case)) for field in expectation_fields(context)]
    return [f"{field.label.lower()} {compact(value)}" for field, value in fields if not isinstance(value, Absent)]


def _stated(name: str, label: str, get: Callable[[Session], str | None]) -> GoldenField:
    def value(case: Case) -> Json | Absent:
        return (get(case.session) if case.session is not None else None) or ABSENT

    def change(case: Case, written: Json | Absent) -> Sequence[GoldenChange]:
        before = case.session or Session()
        text = written if isinstance(written, str) and written else None
        changed = {
            "app": replace(before, app=text),
            "user": replace(before, user=text),
            "id": replace(before, id=text),
        }[name]
        return [BeginsWith(_or_none(changed))]

    step = tr("Set {0} of the session").format(label.lower())
    return GoldenField(f"session-{name}", label, Kind.LINE, step, value, change, "probe")


def _state(case: Case) -> Json | Absent:
    state = case.session.state if case.session is not None else None
    return state if state is not None else ABSENT


def _start_with(case: Case, value: Json | Absent) -> Sequence[GoldenChange]:
    return [BeginsWith(_or_none(replace(case.session or Session(), state=_object(value))))]


def _ends(case: Case) -> Json | Absent:
    return case.final_state if case.final_state is not None else ABSENT


def _end_with(_case: Case, value: Json | Absent) -> Sequence[GoldenChange]:
    return [EndsWith(_object(value))]


def _or_none(session: Session) -> Session | None:
    return session if replace(session, place="") != Session() else None


def _object(value: Json | Absent) -> JsonObject | None:
    return value if isinstance(value, dict) else None


_FIELDS = (
    *(_stated(name, label, get) for name, label, get in _STATED),
    GoldenField(
        "session-state", N_("State at the start"), Kind.OBJECT, N_("Set the state at the start"), _state, _start_with,
        {"seats": 2}, N_('No state is set. Write one as JSON: {"seats": 2}'),
    ),
    GoldenField(
        "final-state", N_("State at the end"), Kind.OBJECT, N_("Set the state at the end"), _ends, _end_with,
        {"seats": 2}, N_('Nothing is expected of the state. Write it as JSON: {"seats": 2}'),
    ),
)  # fmt: skip
