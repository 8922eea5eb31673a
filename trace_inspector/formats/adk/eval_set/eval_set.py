"""ADK eval sets: `adk-eval-set`, in snake_case, camelCase and mixed, and lists of conversation scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from trace_inspector.core.finding import Finding, error, info, warning
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session, Suite, as_trace
from trace_inspector.core.rows.contents import Contents, Item
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.adk.common import schemas
from trace_inspector.formats.adk.common.content import rubrics_of
from trace_inspector.formats.adk.session.invocation import report_guesses, turn_of
from trace_inspector.formats.common.content import parts_of
from trace_inspector.formats.common.fields import (
    MOST_ITEMS,
    Fields,
    Report,
    camel,
    fields_of,
    kind_of,
    objects_in,
    or_null,
)
from trace_inspector.formats.common.format import Editing, Implementation, Source, Written
from trace_inspector.formats.common.schema import check
from trace_inspector.formats.extension.reader import beside

if TYPE_CHECKING:
    from trace_inspector.core.golden.golden_change import GoldenChange, SuiteDescribed


def read(source: Source) -> Iterator[Item]:
    """One suite with its cases; recorded conversations inside cases as traces."""
    fields = fields_of(source.value, source.place)
    report = Report()
    scenarios = isinstance(fields.get("scenarios"), list) and fields.key("eval_cases") is None
    suite = _scenario_suite(fields, source, report) if scenarios else _suite(fields, source, report)
    yield suite
    if not scenarios:
        yield from _recorded(fields, suite, report)
    turns = [turn for case in suite.cases for turn in case.turns]
    report_guesses(sum("order" in turn.guessed for turn in turns), report)
    yield from report.drain()


def _suite(fields: Fields, source: Source, report: Report) -> Suite:
    check(fields, schemas.EVAL_SET, report)
    camel_keys = [
        camel(name) for name in schemas.EVAL_SET.fields if name != camel(name) and camel(name) in fields.value
    ]
    if camel_keys:
        named = " and ".join(f"“{key}”" for key in camel_keys[:2])
        message = (
            f"google-adk 2.13 reads only snake_case at the top of an eval set and rejects {named}; Trace Inspector "
            "reads it all the same."
        )
        report.add(warning("other-spelling", message, fields.pointer("eval_set_id")))
    suite_id = fields.text("eval_set_id") or source.stem or "eval_set"
    cases = []
    for index, case in enumerate(report.bounded(fields, "eval_cases")):
        source.tick()
        cases.append(_case(case, index, suite_id, report))
    _report_duplicates(cases, report)
    return Suite(
        suite_id, fields.text("name") or "", fields.text("description") or "", tuple(cases), place=source.place
    )


def _case(fields: Fields, index: int, suite_id: str, report: Report) -> Case:
    check(fields, schemas.EVAL_CASE, report)
    case_id = fields.text("eval_id") or fields.text("case_id") or f"case {index + 1}"
    scripted = fields.get("conversation")
    scenario = fields.object("conversation_scenario")
    if isinstance(scripted, list) == (scenario is not None):
        has = "both a conversation and a scenario" if scenario else "neither a conversation nor a scenario"
        report.add(
            error("script-or-scenario", f"Case “{case_id}” has {has}; google-adk requires exactly one.", fields.place)
        )
    session = fields.object("session_input")
    if session is not None:
        check(session, schemas.SESSION_INPUT, report)
    ours = beside(fields, report)
    return Case(
        id=case_id,
        suite_id=suite_id,
        turns=_turns(fields, "conversation", report),
        scenario=_scenario(scenario, report) if scenario is not None else None,
        session=_session(session) if session is not None else None,
        context=_context(fields),
        final_state=fields.mapping("final_session_state"),
        rubrics=rubrics_of(fields, report),
        matchers=ours.matchers,
        notes=ours.notes,
        overrules=ours.overrules,
        tags=_tags(fields),
        final_state_place=fields.pointer("final_session_state"),
        place=fields.place,
    )


def _tags(case: Fields) -> tuple[str, ...]:
    """Other tools tag cases in their own files of this format; google-adk passes the key over."""
    stated = case.get("tags")
    return tuple(tag for tag in stated if isinstance(tag, str)) if isinstance(stated, list) else ()


def _turns(case: Fields, name: str, report: Report) -> tuple[Turn, ...]:
    return tuple(turn_of(fields, index, report) for index, fields in enumerate(report.bounded(case, name)))


def _context(case: Fields) -> tuple[Event, ...]:
    """The messages that trpc puts before the conversation."""
    return tuple(
        Event(fields.text("role") or "", parts_of(fields.value, fields.place), place=fields.place)
        for fields in case.objects("context_messages")
    )


def _recorded(fields: Fields, suite: Suite, report: Report) -> Iterator[Trace]:
    """The recorded conversation that trpc keeps beside the script."""
    listed = or_null(fields.get("eval_cases"))
    raws = objects_in(listed[:MOST_ITEMS] if isinstance(listed, list) else None, fields.pointer("eval_cases"))
    for case, raw in zip(suite.cases, raws, strict=True):
        if raw.key("actual_conversation") is not None:
            turns = _turns(raw, "actual_conversation", report)
            yield replace(
                as_trace(replace(case, turns=turns, final_state=None)), place=raw.pointer("actual_conversation")
            )


def _session(fields: Fields) -> Session:
    return Session(
        fields.text("app_name"),
        fields.text("user_id"),
        fields.text("session_id"),
        fields.mapping("state"),
        fields.place,
    )


def _scenario(fields: Fields, report: Report) -> Scenario:
    check(fields, schemas.SCENARIO, report)
    return Scenario(
        fields.text("starting_prompt") or "",
        fields.text("conversation_plan") or "",
        _persona(fields, report),
        place=fields.place,
    )


def _persona(scenario: Fields, report: Report) -> Persona | None:
    """One of ADK's own by its id, or an object that describes one."""
    place = scenario.pointer("user_persona")
    stated = scenario.object("user_persona")
    if stated is not None:
        check(stated, schemas.PERSONA, report)
        for behavior in stated.objects("behaviors"):
            check(behavior, schemas.BEHAVIOR, report)
        return Persona(stated.text("id") or "", stated.text("description") or "", stated.value, place)
    given = scenario.get("user_persona")
    if not isinstance(given, str):
        if given is not ABSENT and given is not None:
            message = f"A persona should be an id or an object, not {kind_of(given)}."
            report.add(error("wrong-type", message, place))
        return None
    if given not in schemas.PERSONAS:
        named = ", ".join(sorted(schemas.PERSONAS))
        message = (
            f"google-adk 2.13 does not know the persona “{given}”, and rejects it; write {named}, or describe one."
        )
        report.add(error("unknown-persona", message, place))
    return Persona(given, place=place)


def _scenario_suite(fields: Fields, source: Source, report: Report) -> Suite:
    suite_id = source.stem or "eval_set"
    cases = tuple(
        Case(f"scenario {index + 1}", suite_id, scenario=_scenario(scenario, report), place=scenario.place)
        for index, scenario in enumerate(fields.objects("scenarios"))
    )
    report.add(
        info(
            "derived-ids", "The scenarios in this list have no ids; their cases are named by position.", source.place
        )
    )
    name, description = fields.text("name") or "", fields.text("description") or ""
    return Suite(suite_id, name, description, tuple(cases), place=source.place)


def _cases_place(value: Json) -> str | None:
    fields = fields_of(value, "")
    return fields.pointer("eval_cases")


def _one_case(raw: JsonObject, place: str, suite_id: str) -> Case:
    return _case(Fields(raw, place), int(place.rpartition("/")[2]), suite_id, Report())


def _report_duplicates(cases: list[Case], report: Report) -> None:
    seen: dict[str, Case] = {}
    for case in cases:
        first = seen.setdefault(case.id, case)
        if first is not case:
            message = (
                f"The id “{case.id}” is also the id of the case at {first.place}, so their results cannot be told "
                "apart."
            )
            report.add(warning("duplicate-id", message, case.place))


def _write(contents: Contents) -> Written:
    from trace_inspector.formats.adk.eval_set.eval_set_writer import write

    return write(contents)


def _new_case(case: Case) -> tuple[JsonObject, tuple[Finding, ...]]:
    from trace_inspector.formats.adk.eval_set.eval_set_writer import new_case

    return new_case(case)


def _changed(raw: JsonObject, case: Case, change: GoldenChange) -> JsonObject:
    from trace_inspector.formats.adk.eval_set.case_change import changed

    return changed(raw, case, change)


def _described(raw: JsonObject, change: SuiteDescribed) -> JsonObject:
    from trace_inspector.formats.adk.eval_set.case_change import described

    return described(raw, change)


IMPLEMENTATION = Implementation(
    read=read,
    write=_write,
    editing=Editing(_cases_place, _one_case, _changed, _new_case, described=_described),
)
