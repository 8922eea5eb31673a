"""What is expected in a turn of CES, and the criteria that overrule others, as a person wants it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.disagreements import with_expected_parts
from trace_inspector.core.golden.golden_change import ExpectationWithMatchers, Expected, HandsOver, Judged, Results
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, ToolResult, Transfer
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.content_writer import by_place
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.merged import merged
from trace_inspector.formats.ces.common.thresholds import OF_EVALUATION, OF_EXPECTATION, OF_TURN, Level
from trace_inspector.formats.ces.evaluation.evaluation_golden_writer import GoldenWriter
from trace_inspector.formats.ces.evaluation.scenario_change import expect_in_scenario, expect_sentences
from trace_inspector.formats.ces.evaluation.steps_change import StepList
from trace_inspector.formats.ces.evaluation.thresholds_writer import levels_json
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.list_merge import refilled

_IN_TURNS = "A golden of CES expects calls, answers and variables in its turns. Expect this in a turn."
_NO_PLACE = (
    "CES has no place for this here. Take out what it is compared by, its criteria, or parts that are no words."
)


def expect(draft: CaseDraft, change: Expected) -> None:
    """Expect these things: in the steps of a turn, or of the whole conversation."""
    if change.owner != draft.before.place:
        _expect_in_turn(draft, change)
        return
    sentences = [one.expectation for one in change.expectations if one.expectation.kind is Expects.CRITERION]
    others = [one for one in change.expectations if one.expectation.kind is not Expects.CRITERION]
    fields = draft.fields("")
    scenario = fields.object("scenario")
    if scenario is not None:
        expect_in_scenario(draft, scenario.place, others)
    elif others:
        raise EditError(_IN_TURNS)
    owner = scenario or fields.object("golden")
    if owner is not None:
        expect_sentences(draft, owner.place, sentences)


def expect_results(draft: CaseDraft, change: Results) -> None:
    """Expect these answers of tools; what else is expected stays."""
    turn = draft.turn(change.turn)
    stated = {part.place for one in turn.expectations if one.kind is not Expects.RESULT for part in one.parts}
    results: list[ToolResult] = [replace(one, place="") if one.place in stated else one for one in change.results]
    expect(draft, with_expected_parts(draft.before, turn, Expects.RESULT, results))


def expect_transfers(draft: CaseDraft, change: HandsOver) -> None:
    """Expect these transfers; those that nobody expects stay steps of the script."""
    turn = draft.turn(change.turn)
    expect(
        draft, with_expected_parts(draft.before, turn, Expects.TRANSFER, [Transfer(one) for one in change.targets])
    )


def judge(draft: CaseDraft, change: Judged) -> None:
    """The thresholds and switches of the evaluation, of a turn or of an expectation."""
    level, stated = _stated(draft, change.owner)
    wanted, unsaid = levels_json(change.criteria, level)
    if unsaid:
        raise EditError(f"CES has no place for all of “{unsaid[0]}” here. Set it for the evaluation or for the app.")
    pointer = draft.within(change.owner)
    held = draft.at(pointer)
    was, _ = levels_json(stated, level)
    new = merged(held, was, wanted, keeps=True)
    if new is not held:
        draft.put(pointer, new)


def _stated(draft: CaseDraft, owner: str) -> tuple[Level, tuple[Criterion, ...]]:
    """The level of an owner, and the criteria that it states now."""
    if owner == draft.before.place:
        return OF_EVALUATION, draft.before.criteria
    for turn in draft.before.turns:
        if turn.place == owner:
            return OF_TURN, turn.criteria
        for one in turn.expectations:
            if one.place == owner:
                return OF_EXPECTATION, one.criteria
    raise EditError("CES overrules criteria in evaluations, turns and expectations. Choose one of these.")


def _expect_in_turn(draft: CaseDraft, change: Expected) -> None:
    turn = draft.turn(change.owner)
    before = {one.place: one for one in turn.expectations}
    if len(before) != len(turn.expectations):
        raise EditError("A step of this turn expects several things at once, which CES rejects. Change it in Raw.")
    kept = [one.expectation.place for one in change.expectations if one.expectation.place in before]
    if len(kept) != len(set(kept)):
        raise EditError("The same thing is expected twice. Copy it instead.")
    written: dict[str, JsonObject] = {}
    for one in change.expectations:
        old = before.get(one.expectation.place)
        if old is not None:
            was = _written(old, draft.before.matchers)
            pointer = draft.within(old.place)
            raw = draft.at(pointer)
            new = merged(raw, was, _written(one.expectation, _placed(one)))
            if new is not raw:
                draft.put(pointer, new)
            written[old.place] = was
    steps = StepList.of(draft, change.owner)
    stated = {place: steps.index(place) for place in before}
    wanted: list[tuple[int | None, Json]] = []
    for one in change.expectations:
        at = stated.get(one.expectation.place)
        wanted.append((at, steps.items[at].value if at is not None else _new_step(one)))
    listed = [step.value for step in steps.items]
    new_list = refilled(listed, {*stated.values()}, wanted, steps.first_expectation)
    if len(new_list) != len(listed) or any(one is not other for one, other in zip(listed, new_list, strict=True)):
        draft.put(steps.pointer, new_list)


def _new_step(one: ExpectationWithMatchers) -> JsonObject:
    return {"expectation": _written(one.expectation, _placed(one))}


def _placed(one: ExpectationWithMatchers) -> list[Matcher]:
    """The matchers under the whole places of the call's arguments."""
    calls = [part for part in one.expectation.parts if isinstance(part, ToolCall)]
    return [replace(rule, place=f"{call.place}/args{rule.place}") for call in calls for rule in one.matchers]


def _written(one: Expectation, matchers: Sequence[Matcher]) -> JsonObject:
    losses = Losses()
    written = GoldenWriter(by_place(matchers), losses).expectation(one)
    if written is None or losses.counts:
        raise EditError(_NO_PLACE)
    return written
