"""Writes suites and traces as one ADK eval set, as google-adk 2.13 accepts it, with what it cannot hold named."""

from __future__ import annotations

import re

from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.golden.golden import Case, Scenario, Session, as_case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.adk.common.schemas import PERSONAS
from trace_inspector.formats.adk.session.invocation_writer import Leftovers, invocation_json, rubric_json
from trace_inspector.formats.adk.session.session_invocation import as_invocation
from trace_inspector.formats.common.content import content_json
from trace_inspector.formats.common.format import Written
from trace_inspector.formats.extension.key import KEY, carrying
from trace_inspector.formats.extension.writer import tables_of, with_tables
from trace_inspector.formats.writing.unique_names import UniqueNames


def write(contents: Contents) -> Written:
    """One eval set with every case and every trace."""
    losses: list[Finding] = []
    ids = _unique_ids(losses)
    cases = [_case_json(case, ids, contents.format, losses) for suite in contents.suites for case in suite.cases]
    recorded = {case.id for suite in contents.suites for case in suite.cases}
    for trace in contents.traces:
        if trace.case_id in recorded and trace.case_id is not None:
            message = (
                f"Case “{trace.case_id}” has scripted turns already; there is no place for its recorded "
                "conversation as well."
            )
            losses.append(error("recording-lost", message, trace.place))
            continue
        cases.append(_case_json(as_case(trace), ids, contents.format, losses))
    spans = sum(trace.span_count for trace in contents.traces)
    if spans:
        message = (
            f"{spans} {'span has' if spans == 1 else 'spans have'} no place in an eval set: their tree, their "
            "attributes and the transport between them. Messages, calls and results are carried over."
        )
        losses.append(error("spans-lost", message))
    beside = sum(len(_leftovers(case)) for case in cases)
    if beside:
        values = "1 value is" if beside == 1 else f"{beside} values are"
        message = f"{values} stored in their cases under “{KEY}”, because an eval set has no key for them."
        losses.append(info("kept-beside", message))
    if contents.criteria is not None:
        losses.append(
            error("criteria-lost", "Criteria have no place in an eval set; they belong in test_config.json.")
        )
    first = contents.suites[0] if contents.suites else None
    written: JsonObject = {"eval_set_id": first.id if first else _safe_id(contents)}
    if first and first.name:
        written["name"] = first.name
    if first and first.description:
        written["description"] = first.description
    written["eval_cases"] = [*cases]
    return Written(json_text(written), tuple(losses))


def new_case(case: Case) -> tuple[JsonObject, tuple[Finding, ...]]:
    """One case for a set that is there, with what it loses."""
    losses: list[Finding] = []
    return _case_json(case, _unique_ids(losses), "adk-eval-set", losses), tuple(losses)


def _leftovers(case: JsonObject) -> JsonObject:
    reserved = case.get(KEY)
    leftovers = reserved.get("leftovers") if isinstance(reserved, dict) else None
    return leftovers if isinstance(leftovers, dict) else {}


def _unique_ids(losses: list[Finding]) -> UniqueNames:
    return UniqueNames(losses, "case", "The id ")


def _case_json(case: Case, ids: UniqueNames, origin: str, losses: list[Finding]) -> JsonObject:
    leftovers = Leftovers(losses)
    written: JsonObject = {"eval_id": ids.take(case.id, case.place)}
    if case.scenario is not None:
        written["conversation_scenario"] = _scenario_json(case.scenario, leftovers)
    else:
        conversation: list[Json] = []
        for index, turn in enumerate(case.turns):
            pointer = f"/conversation/{index}"
            invocation = as_invocation(turn, pointer, leftovers) if case.recorded else turn
            conversation.append(invocation_json(invocation, pointer, leftovers))
        written["conversation"] = conversation
    if case.session is not None:
        _write_session(case.session, written, leftovers, recorded=case.recorded)
    if case.context:
        contents = [content_json(event.parts, event.author) for event in case.context]
        leftovers.keep("/context_messages", [*contents])
    if case.rubrics:
        written["rubrics"] = [rubric_json(rubric) for rubric in case.rubrics]
    if case.final_state is not None:
        written["final_session_state"] = case.final_state
    if case.tags:
        written["tags"] = [*case.tags]
    noted = "\n".join(note.text for note in case.notes if note.place == case.place)
    if noted:
        written = with_tables(written, {**tables_of(written), "notes": {"": noted}})
    if leftovers.values or origin != "adk-eval-set":
        return carrying(written, origin, {**leftovers.values})
    return written


def _scenario_json(scenario: Scenario, leftovers: Leftovers) -> JsonObject:
    """A persona that google-adk does not know by its id alone would make it reject the file."""
    place = "/conversation_scenario"
    written: JsonObject = {"starting_prompt": scenario.starting_prompt, "conversation_plan": scenario.plan}
    persona = scenario.persona
    if persona is not None and (persona.stated is not None or persona.id in PERSONAS):
        written["user_persona"] = persona.id if persona.stated is None else persona.stated
    elif persona is not None:
        leftovers.keep(f"{place}/user_persona", persona.id)
    if scenario.max_turns is not None:
        leftovers.keep(f"{place}/max_turns", scenario.max_turns)
    return written


def _write_session(session: Session, written: JsonObject, leftovers: Leftovers, *, recorded: bool) -> None:
    """ADK requires app and user together; the id of a recorded session would fix it there, so it is a leftover."""
    is_owned = session.app is not None or session.user is not None or bool(session.state)
    if session.id is not None and (recorded or not is_owned):
        leftovers.keep("/session_input/session_id", session.id)
    if not is_owned:
        return
    given: JsonObject = {"app_name": session.app or "", "user_id": session.user or ""}
    if session.id is not None and not recorded:
        given["session_id"] = session.id
    if session.state is not None:
        given["state"] = session.state
    written["session_input"] = given


def _safe_id(contents: Contents) -> str:
    """ADK makes only ids of letters, digits and underscores."""
    name = contents.traces[0].id if contents.traces else "eval_set"
    return re.sub(r"[^A-Za-z0-9_]", "_", name) or "eval_set"
