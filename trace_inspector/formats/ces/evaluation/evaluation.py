"""CES's evaluations: `ces-evaluation`, goldens and scenarios, as the service has them and as apps keep them."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import error, warning
from trace_inspector.core.golden.golden import Case, Session, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Unknown
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common import evaluation_schemas as schemas
from trace_inspector.formats.ces.common.content import VARIABLES
from trace_inspector.formats.ces.common.evaluation_entries import entries_in
from trace_inspector.formats.ces.common.expectation import criteria_sentences
from trace_inspector.formats.ces.common.recognisers import EVALUATIONS
from trace_inspector.formats.ces.common.thresholds import OF_EVALUATION, criteria_in
from trace_inspector.formats.ces.evaluation.evaluation_change import changed
from trace_inspector.formats.ces.evaluation.evaluation_golden import Script, script_of
from trace_inspector.formats.ces.evaluation.evaluation_scenario import scenario_of
from trace_inspector.formats.ces.evaluation.evaluation_writer import new_case, write
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, fields_of, kind_of
from trace_inspector.formats.common.format import Editing, Implementation, Source
from trace_inspector.formats.common.schema import check

LISTED = "evaluations"
_READ = (
    "name",
    "tags",
    "golden",
    "scenario",
    "evaluation_metrics_threshold_override",
    "evaluation_metrics_config_override",
)


def read(source: Source) -> Iterator[Item]:
    """One suite of all evaluations in the file."""
    report = Report()
    stem = source.stem or "evaluation"
    cases: list[Case] = []
    for fields in entries_in(source, EVALUATIONS, "ces-evaluation", report):
        source.tick()
        cases.append(_case(fields, stem, len(cases), report))
    _report_duplicates(cases, report)
    yield Suite(stem, cases=tuple(cases), place=source.place)
    yield from report.drain()


def _case(fields: Fields, stem: str, index: int, report: Report) -> Case:
    check(fields, schemas.EVALUATION, report)
    golden, scenario = fields.object("golden"), fields.object("scenario")
    _check(fields, report)
    script = script_of(golden, report) if golden is not None else Script()
    scenario_parts = scenario_of(scenario, report) if scenario is not None else None
    owners = [owner for owner in (golden, scenario) if owner is not None]
    beside = extras_of(golden, *schemas.GOLDEN.fields) if golden is not None else ()
    shown = fields.text("display_name") or ""
    titled = ("display_name",) if shown else ()
    name = (fields.text("name") or "").rpartition("/")[2] or shown
    return Case(
        id=name or (f"{stem} {index + 1}" if index else stem),
        title=shown if shown != name else "",
        suite_id=stem,
        turns=script.turns,
        scenario=scenario_parts.scenario if scenario_parts else None,
        session=_session(script),
        rubrics=scenario_parts.rubrics if scenario_parts else (),
        expectations=(
            *(scenario_parts.expectations if scenario_parts else ()),
            *(sentence for owner in owners for sentence in criteria_sentences(owner, report)),
        ),
        criteria=criteria_in(fields, OF_EVALUATION, report),
        matchers=(*script.matchers, *(scenario_parts.matchers if scenario_parts else ())),
        tags=tuple(_tags(fields, report)),
        extras=(*extras_of(fields, *_READ, *titled), *beside, *(scenario_parts.extras if scenario_parts else ())),
        place=fields.place,
    )


def _check(fields: Fields, report: Report) -> None:
    """Check what CES demands of a whole evaluation, and report what it states itself."""
    is_stated = schemas.check_union(fields, ("golden", "scenario"), "An evaluation", report)
    if not is_stated:
        message = "This evaluation has neither a golden nor a scenario; CES requires one of them."
        report.add(error("script-or-scenario", message, fields.place))
    if not fields.text("display_name"):
        report.add(warning("no-display-name", "CES requires a “displayName” of every evaluation.", fields.place))
    if fields.get("invalid") is True:
        message = "CES marks this evaluation as invalid: it names a tool or an agent that no longer exists."
        report.add(warning("invalid-evaluation", message, fields.pointer("invalid")))


def _session(script: Script) -> Session | None:
    """The variables that the caller sets before anything else."""
    state: JsonObject = {}
    place = ""
    for part in script.turns[0].user if script.turns else ():
        if not isinstance(part, Unknown) or part.kind != VARIABLES or not isinstance(part.raw, dict):
            break
        state, place = {**state, **part.raw}, place or part.place
    return Session(state=state, place=place) if place else None


def _tags(fields: Fields, report: Report) -> Iterator[str]:
    listed = fields.get("tags")
    for index, tag in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(tag, str):
            yield tag
        else:
            message = f"A tag should be a text, not {kind_of(tag)}."
            report.add(error("wrong-type", message, join(fields.pointer("tags"), index)))


def _report_duplicates(cases: list[Case], report: Report) -> None:
    seen: dict[str, Case] = {}
    for case in cases:
        first = seen.setdefault(case.id, case)
        if first is not case:
            message = (
                f"“{case.id}” is also the id of the evaluation at {first.place}, so their results cannot be told "
                "apart."
            )
            report.add(warning("duplicate-id", message, case.place))


def _cases_place(value: Json) -> str | None:
    """The list of evaluations; None of a single one."""
    if isinstance(value, list):
        return ""
    fields = fields_of(value, "")
    return fields.pointer(LISTED) if isinstance(fields.get(LISTED), list) else None


def _one_case(raw: JsonObject, place: str, suite_id: str) -> Case:
    token = place.rpartition("/")[2]
    return _case(Fields(raw, place), suite_id, int(token) if token.isdecimal() else 0, Report())


IMPLEMENTATION = Implementation(read=read, write=write, editing=Editing(_cases_place, _one_case, changed, new_case))
