"""A case of DeepEval with several turns: as a recorded conversation, as a script, or as a scenario."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Case, Persona, Scenario
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, objects_in
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.common.span_attributes import from_text
from trace_inspector.formats.common.turn_flow import TurnFlow
from trace_inspector.formats.eval_tools.deepeval.tools import BESIDE, beside_golden, calls_in, retrieved_in
from trace_inspector.formats.eval_tools.stated_texts import words_in

_OF_A_TURN = ("role", "content", "order", "tools_called", "retrieval_context")
_OF_A_SCENARIO = ("scenario", "expected_outcome", "user_description")
_READ = ("name", "turns", *_OF_A_SCENARIO, *BESIDE, "success", "metrics_data", "evaluation_cost", "run_duration")


def conversation_items(case: Fields, identity: str, suite: str, counts: RecordCounts) -> Iterator[Item]:
    """What was said in a case of a run."""
    extras = stated_extras(case, *_READ)
    yield Trace(identity, case_id=identity, suite_id=suite, extras=extras, place=case.place)
    yield from _turns(case)
    counts.understood(1 + len(_listed(case)))


def conversation_golden(case: Fields, identity: str, suite: str, *, is_recorded: bool) -> Case:
    """What is to be said, where a golden has turns, else the scenario; and what is to come of it."""
    plan, user = case.text("scenario") or "", case.text("user_description")
    turns = () if is_recorded else tuple(_turns(case))
    persona = Persona("", user, place=case.pointer("user_description")) if user else None
    outcome = case.text("expected_outcome")
    beside = [*beside_golden(case)]
    if turns:
        beside += [
            Extra(case.key(name) or name, text, case.pointer(name))
            for name in ("scenario", "user_description")
            if (text := case.text(name))
        ]
    place = case.pointer("expected_outcome")
    return Case(
        id=identity,
        suite_id=suite,
        turns=turns,
        scenario=None if turns else Scenario("", plan, persona, place=case.place),
        expectations=(Expectation(Expects.CRITERION, text=outcome, place=place),) if outcome else (),
        extras=tuple(beside),
        place=case.place,
    )


def _turns(case: Fields) -> Iterator[Turn]:
    flow = TurnFlow()
    for message in _listed(case):
        words = words_in(message, "content")
        if message.text("role") == "user":
            yield from flow.ask(words, place=message.place)
        for event in (*retrieved_in(message), *(calls_in(message, "tools_called") or ())):
            flow.happen(event)
        if message.text("role") != "user":
            flow.happen(Event("assistant", words, "model", place=message.place))
        for extra in stated_extras(message, *_OF_A_TURN):
            flow.add(extra)
    yield from flow.finish()


def _listed(case: Fields) -> list[Fields]:
    """The messages, which a file may have as JSON in a text."""
    text = case.text("turns")
    listed = case.get("turns") if text is None else from_text(text)
    return objects_in(listed, case.pointer("turns"))
