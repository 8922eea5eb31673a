"""Changes what is expected in a turn of CES, and the criteria that overrule others."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.equivalent_changes import with_expected_parts
from trace_inspector.core.golden.golden_change import ExpectationWithMatchers, Expected, HandsOver, Judged, Results
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, ToolResult, Transfer
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.content_writer import by_place
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.thresholds import OF_EVALUATION, OF_EXPECTATION, OF_TURN, Level
from trace_inspector.formats.ces.common.value_overlay import merged
from trace_inspector.formats.ces.evaluation.evaluation_golden_writer import GoldenWriter
from trace_inspector.formats.ces.evaluation.scenario_change import (
    THING_TWICE,
    expect_in_scenario,
    expect_sentences,
)
from trace_inspector.formats.ces.evaluation.steps_change import StepList
from trace_inspector.formats.ces.evaluation.thresholds_writer import levels_json
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.list_merge import kept_places

_IN_TURNS = "A golden of CES expects calls, answers and variables in its turns. Expect this in a turn."
_NO_PLACE = (
    "CES has no place for this here. Take out what it is compared by, its criteria, or parts that are no words."
)


def change_expectations(draft: CaseDraft, change: Expected) -> None:
    """Expect these things: in the steps of a turn, or of the whole conversation."""
    if change.owner != draft.before.place:
        _expect_in_turn(draft, change)
        return
    expectations = [expected.expectation for expected in change.expectations]
    sentences = [expectation for expectation in expectations if expectation.kind is Expects.CRITERION]
    others = [expected for expected in change.expectations if expected.expectation.kind is not Expects.CRITERION]
    fields = draft.fields("")
    scenario = fields.object("scenario")
    if scenario is not None:
        expect_in_scenario(draft, scenario.place, others)
    elif others:
        raise EditError(_IN_TURNS)
    owner = scenario or fields.object("golden")
    if owner is not None:
        expect_sentences(draft, owner.place, sentences)


def change_results(draft: CaseDraft, change: Results) -> None:
    """Expect these answers of tools; what else is expected stays."""
    turn = draft.turn(change.turn)
    others = [expectation for expectation in turn.expectations if expectation.kind is not Expects.RESULT]
    stated = {part.place for expectation in others for part in expectation.parts}
    results: list[ToolResult] = [
        replace(result, place="") if result.place in stated else result for result in change.results
    ]
    change_expectations(draft, with_expected_parts(draft.before, turn, Expects.RESULT, results))


def change_transfers(draft: CaseDraft, change: HandsOver) -> None:
    """Expect these transfers; those that are not expected stay steps of the script."""
    turn = draft.turn(change.turn)
    transfers = [Transfer(target) for target in change.targets]
    change_expectations(draft, with_expected_parts(draft.before, turn, Expects.TRANSFER, transfers))


def change_thresholds(draft: CaseDraft, change: Judged) -> None:
    """The thresholds and switches of the evaluation, of a turn or of an expectation."""
    level, stated = _stated(draft, change.owner)
    levels, unwritten = levels_json(change.criteria, level)
    if unwritten:
        raise EditError(
            f"CES has no place for all of “{unwritten[0]}” here. Set it for the evaluation or for the app."
        )
    pointer = draft.within(change.owner)
    raw = draft.value_at(pointer)
    before, _ = levels_json(stated, level)
    new = merged(raw, before, levels, keeps=True)
    if new is not raw:
        draft.put(pointer, new)


def _stated(draft: CaseDraft, owner: str) -> tuple[Level, tuple[Criterion, ...]]:
    """The level of an owner, and the criteria that it states now."""
    if owner == draft.before.place:
        return OF_EVALUATION, draft.before.criteria
    for turn in draft.before.turns:
        if turn.place == owner:
            return OF_TURN, turn.criteria
        for expectation in turn.expectations:
            if expectation.place == owner:
                return OF_EXPECTATION, expectation.criteria
    raise EditError("CES overrules criteria in evaluations, turns and expectations. Choose one of these.")


def _expect_in_turn(draft: CaseDraft, change: Expected) -> None:
    turn = draft.turn(change.owner)
    before = {expectation.place: expectation for expectation in turn.expectations}
    if len(before) != len(turn.expectations):
        raise EditError("A step of this turn expects several things at once, which CES rejects. Change it in Raw.")
    kept_places((expected.expectation.place for expected in change.expectations), before, THING_TWICE)
    for expected in change.expectations:
        old = before.get(expected.expectation.place)
        if old is not None:
            pointer = draft.within(old.place)
            raw = draft.value_at(pointer)
            new = merged(raw, _written(old, draft.before.matchers), _written_anew(expected))
            if new is not raw:
                draft.put(pointer, new)
    steps = StepList.of(draft, change.owner)
    stated = {place: steps.index(place) for place in before}
    expected_steps: list[tuple[int | None, Json]] = []
    for expected in change.expectations:
        index = stated.get(expected.expectation.place)
        step: JsonObject = {"expectation": _written_anew(expected)} if index is None else steps.items[index].value
        expected_steps.append((index, step))
    steps.refill(stated.values(), expected_steps, steps.first_expectation)


def _written_anew(expected: ExpectationWithMatchers) -> JsonObject:
    """As CES writes it, with the matchers under the whole places of the call's arguments."""
    calls = [part for part in expected.expectation.parts if isinstance(part, ToolCall)]
    matchers = [
        replace(matcher, place=f"{call.place}/args{matcher.place}") for call in calls for matcher in expected.matchers
    ]
    return _written(expected.expectation, matchers)


def _written(expectation: Expectation, matchers: Sequence[Matcher]) -> JsonObject:
    losses = Losses()
    written = GoldenWriter(by_place(matchers), losses).expectation(expectation)
    if written is None or losses.counts:
        raise EditError(_NO_PLACE)
    return written
