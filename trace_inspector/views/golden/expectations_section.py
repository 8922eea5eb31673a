"""What a turn expects beyond calls and answer, and what the whole conversation must meet: fields of a form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from trace_inspector.core.golden.equivalent_changes import stated_expectations, transfer_targets, with_expected_parts
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import (
    ExpectationWithMatchers,
    Expected,
    GoldenChange,
    HandsOver,
    Results,
)
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolResult, Transfer
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.field import GoldenField, Kind

NO_CALLS = (("calls may be made", ""), ("no tool may be called", "none"))
_RESULTS = 'None. In order: [{"tool": "find", "response": 2}]'
Read = Callable[[Case, Turn], "Json | Absent"]
Write = Callable[[Case, Turn, "Json | Absent"], Sequence[GoldenChange]]


def expectation_fields(context: GoldenContext) -> Sequence[GoldenField]:
    """Of the chosen turn, then of the whole conversation."""
    of_turn = [_of_turn(context.index, *line) for line in _TURN] if context.index is not None else []
    return [*of_turn, _SENTENCES]


def _of_turn(
    index: int, name: str, label: str, kind: Kind, read: Read, write: Write, probe: Json, hint: str,
    choices: Sequence[tuple[str, str]] = (),
) -> GoldenField:  # fmt: skip
    def value(case: Case) -> Json | Absent:
        return read(case, case.turns[index]) if index < len(case.turns) else ABSENT

    def change(case: Case, said: Json | Absent) -> Sequence[GoldenChange]:
        return write(case, case.turns[index], said) if index < len(case.turns) else ()

    step = tr("Change what is expected: {0}").format(label.lower())
    first = _of_turn(0, name, label, kind, read, write, probe, hint) if index else None
    return GoldenField(name, label, kind, step, value, change, probe, hint, choices, probed=first)


def _transfers(_case: Case, turn: Turn) -> Json | Absent:
    stated = [part.target for one in turn.expectations for part in one.parts if isinstance(part, Transfer)]
    return [*(stated or transfer_targets(turn))] or ABSENT


def _hand_over(_case: Case, turn: Turn, said: Json | Absent) -> Sequence[GoldenChange]:
    return [HandsOver(turn.place, tuple(str(one) for one in said) if isinstance(said, list) else ())]


def _stated_results(turn: Turn, kind: Expects) -> list[ToolResult]:
    listed = [part for one in turn.expectations if one.kind is kind for part in one.parts]
    return [part for part in listed if isinstance(part, ToolResult)]


def _results(turn: Turn) -> list[ToolResult]:
    """Those that are expected; without expectations all that tools answer in the golden."""
    events = [part for event in turn.events for part in event.parts if isinstance(part, ToolResult)]
    return _stated_results(turn, Expects.RESULT) if turn.expectations else events


def _told(results: Sequence[ToolResult]) -> Json | Absent:
    return [
        {"tool": one.name, "response": None if isinstance(one.value, Absent) else one.value} for one in results
    ] or ABSENT


def _meant(said: Json | Absent, before: Sequence[ToolResult]) -> tuple[ToolResult, ...]:
    """Results as they were written; one of the same tool at the same number keeps all else that it says."""
    found: list[ToolResult] = []
    for at, one in enumerate(said if isinstance(said, list) else []):
        if isinstance(one, dict):
            name = one.get("tool")
            new = ToolResult(name if isinstance(name, str) else "", one.get("response"))
            old = before[at] if at < len(before) else new
            found.append(replace(old, value=new.value) if old.name == new.name else new)
    return tuple(found)


def _expect_results(_case: Case, turn: Turn, said: Json | Absent) -> Sequence[GoldenChange]:
    return [Results(turn.place, _meant(said, _results(turn)))]


def _mock(case: Case, turn: Turn, said: Json | Absent) -> Sequence[GoldenChange]:
    return [with_expected_parts(case, turn, Expects.MOCK, _meant(said, _stated_results(turn, Expects.MOCK)))]


def _variables(_case: Case, turn: Turn) -> Json | Absent:
    return next((one.value for one in turn.expectations if one.kind is Expects.VARIABLES), ABSENT)


def _expect_variables(case: Case, turn: Turn, said: Json | Absent) -> Sequence[GoldenChange]:
    return [_with(case, turn, Expects.VARIABLES, lambda one: replace(one, value=said), there=isinstance(said, dict))]


def _no_calls(_case: Case, turn: Turn) -> Json | Absent:
    return "none" if any(one.kind is Expects.NO_CALLS for one in turn.expectations) else ABSENT


def _expect_no_calls(case: Case, turn: Turn, said: Json | Absent) -> Sequence[GoldenChange]:
    return [_with(case, turn, Expects.NO_CALLS, lambda one: one, there=said == "none")]


def _skips(_case: Case, turn: Turn) -> Json | Absent:
    """The kinds of which nothing is judged."""
    judged = {one.kind for one in turn.expectations if not one.skipped}
    kinds = dict.fromkeys(one.kind for one in turn.expectations if one.skipped and one.kind not in judged)
    return [kind.value for kind in kinds] or ABSENT


def _skip(case: Case, turn: Turn, said: Json | Absent) -> Sequence[GoldenChange]:
    """A kind of which a part was skipped stays as it is until it is named."""
    wanted = {str(one).strip() for one in said} if isinstance(said, list) else set()
    before = _skips(case, turn)
    again = (set() if isinstance(before, Absent) else {str(one) for one in _listed(before)}) - wanted
    stated = stated_expectations(case, turn.expectations)
    return [Expected(turn.place, tuple(_skipped(one, wanted, again) for one in stated))]


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _skipped(one: ExpectationWithMatchers, wanted: set[str], again: set[str]) -> ExpectationWithMatchers:
    kind = one.expectation.kind.value
    skipped = kind in wanted or (one.expectation.skipped and kind not in again)
    return replace(one, expectation=replace(one.expectation, skipped=skipped))


def _with(
    case: Case, turn: Turn, kind: Expects, made: Callable[[Expectation], Expectation], *, there: bool
) -> Expected:
    """The first expectation of a kind changed, a new one where there was none, or none of it."""
    stated = stated_expectations(case, turn.expectations)
    at = next((at for at, one in enumerate(stated) if one.expectation.kind is kind), None)
    if at is None:
        return Expected(turn.place, (*stated, ExpectationWithMatchers(made(Expectation(kind)))) if there else stated)
    changed = (replace(stated[at], expectation=made(stated[at].expectation)),) if there else ()
    return Expected(turn.place, (*stated[:at], *changed, *stated[at + 1 :]))


def _sentences(case: Case) -> Json | Absent:
    return [one.text or one.reference for one in case.expectations if one.kind is Expects.CRITERION] or ABSENT


def _expect_sentences(case: Case, said: Json | Absent) -> Sequence[GoldenChange]:
    """Those that stay keep their place; others are new."""
    stated = stated_expectations(case, case.expectations)
    known = {one.expectation.text or one.expectation.reference: one for one in stated}
    texts = [str(one) for one in said] if isinstance(said, list) else []
    others = [one for one in stated if one.expectation.kind is not Expects.CRITERION]
    new = (
        known.get(text) or ExpectationWithMatchers(Expectation(Expects.CRITERION, reference=text)) for text in texts
    )
    return [Expected(case.place, (*others, *new))]


_MOCKED: Json = [{"tool": "find", "response": {"seats": 2}}]
_TURN: tuple[tuple[str, str, Kind, Read, Write, Json, str, Sequence[tuple[str, str]]], ...] = (
    ("turn-transfers", N_("Hands over to"), Kind.LINES, _transfers, _hand_over, ["clerk"],
     N_("Nobody. One a line"), ()),
    ("turn-results", N_("Tools answer"), Kind.VALUE,
     lambda _case, turn: _told(_results(turn)), _expect_results, _MOCKED, _RESULTS, ()),
    ("turn-mocks", N_("Mocked answers"), Kind.VALUE,
     lambda _case, turn: _told(_stated_results(turn, Expects.MOCK)), _mock, _MOCKED, _RESULTS, ()),
    ("turn-variables", N_("Sets variables"), Kind.OBJECT, _variables, _expect_variables, {"seats": 2},
     N_('None. Write them as JSON: {"seats": 2}'), ()),
    ("turn-no-calls", "Tools", Kind.CHOICE, _no_calls, _expect_no_calls, "none", "", NO_CALLS),
    ("turn-skips", N_("Not judged"), Kind.LINES, _skips, _skip, ["call"],
     N_("All is judged. One a line: call, result, answer, transfer, variables"), ()),
)  # fmt: skip
_SENTENCES = GoldenField(
    "case-sentences", "The whole conversation meets", Kind.LINES, "Change what the conversation must meet",
    _sentences, _expect_sentences, ["polite"], "Nothing. One sentence, or the name of one, a line",
)  # fmt: skip
