"""What a turn expects beyond calls and answer, and what the whole conversation must meet: fields of a form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

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

    def change(case: Case, written: Json | Absent) -> Sequence[GoldenChange]:
        return write(case, case.turns[index], written) if index < len(case.turns) else ()

    step = tr("Change what is expected: {0}").format(label.lower())
    first = _of_turn(0, name, label, kind, read, write, probe, hint) if index else None
    return GoldenField(name, label, kind, step, value, change, probe, hint, choices, probed=first)


def _transfers(_case: Case, turn: Turn) -> Json | Absent:
    stated = [
        part.target for expectation in turn.expectations for part in expectation.parts if isinstance(part, Transfer)
    ]
    return [*(stated or transfer_targets(turn))] or ABSENT


def _hand_over(_case: Case, turn: Turn, value: Json | Absent) -> Sequence[GoldenChange]:
    return [HandsOver(turn.place, tuple(str(agent) for agent in value) if isinstance(value, list) else ())]


def _stated_results(turn: Turn, kind: Expects) -> list[ToolResult]:
    listed = [part for expectation in turn.expectations if expectation.kind is kind for part in expectation.parts]
    return [part for part in listed if isinstance(part, ToolResult)]


def _results(turn: Turn) -> list[ToolResult]:
    """Those that are expected; without expectations all that tools answer in the golden."""
    events = [part for event in turn.events for part in event.parts if isinstance(part, ToolResult)]
    return _stated_results(turn, Expects.RESULT) if turn.expectations else events


def _written_results(results: Sequence[ToolResult]) -> Json | Absent:
    return [
        {"tool": result.name, "response": None if isinstance(result.value, Absent) else result.value}
        for result in results
    ] or ABSENT


def _meant(value: Json | Absent, before: Sequence[ToolResult]) -> tuple[ToolResult, ...]:
    """Results as they were written; one of the same tool at the same index keeps its other fields."""
    results: list[ToolResult] = []
    for index, item in enumerate(value if isinstance(value, list) else []):
        if isinstance(item, dict):
            name = item.get("tool")
            new = ToolResult(name if isinstance(name, str) else "", item.get("response"))
            old = before[index] if index < len(before) else new
            results.append(replace(old, value=new.value) if old.name == new.name else new)
    return tuple(results)


def _expect_results(_case: Case, turn: Turn, value: Json | Absent) -> Sequence[GoldenChange]:
    return [Results(turn.place, _meant(value, _results(turn)))]


def _mock(case: Case, turn: Turn, value: Json | Absent) -> Sequence[GoldenChange]:
    return [with_expected_parts(case, turn, Expects.MOCK, _meant(value, _stated_results(turn, Expects.MOCK)))]


def _variables(_case: Case, turn: Turn) -> Json | Absent:
    return next(
        (expectation.value for expectation in turn.expectations if expectation.kind is Expects.VARIABLES), ABSENT
    )


def _expect_variables(case: Case, turn: Turn, value: Json | Absent) -> Sequence[GoldenChange]:
    return [
        _with(
            case,
            turn,
            Expects.VARIABLES,
            lambda expectation: replace(expectation, value=value),
            there=isinstance(value, dict),
        )
    ]


def _no_calls(_case: Case, turn: Turn) -> Json | Absent:
    return "none" if any(expectation.kind is Expects.NO_CALLS for expectation in turn.expectations) else ABSENT


def _expect_no_calls(case: Case, turn: Turn, value: Json | Absent) -> Sequence[GoldenChange]:
    return [_with(case, turn, Expects.NO_CALLS, lambda expectation: expectation, there=value == "none")]


def _skips(_case: Case, turn: Turn) -> Json | Absent:
    """The kinds of which nothing is judged."""
    judged = {expectation.kind for expectation in turn.expectations if not expectation.skipped}
    kinds = dict.fromkeys(
        expectation.kind
        for expectation in turn.expectations
        if expectation.skipped and expectation.kind not in judged
    )
    return [kind.value for kind in kinds] or ABSENT


def _skip(case: Case, turn: Turn, value: Json | Absent) -> Sequence[GoldenChange]:
    """A kind that was skipped in part stays as it is until it is named."""
    to_skip = {str(item).strip() for item in value} if isinstance(value, list) else set()
    before = _skips(case, turn)
    again = (set() if isinstance(before, Absent) else {str(item) for item in _listed(before)}) - to_skip
    stated = stated_expectations(case, turn.expectations)
    return [Expected(turn.place, tuple(_skipped(item, to_skip, again) for item in stated))]


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _skipped(item: ExpectationWithMatchers, to_skip: set[str], again: set[str]) -> ExpectationWithMatchers:
    kind = item.expectation.kind.value
    skipped = kind in to_skip or (item.expectation.skipped and kind not in again)
    return replace(item, expectation=replace(item.expectation, skipped=skipped))


def _with(
    case: Case, turn: Turn, kind: Expects, made: Callable[[Expectation], Expectation], *, there: bool
) -> Expected:
    """The first expectation of the kind changed, added where there was none, or removed."""
    stated = stated_expectations(case, turn.expectations)
    index = next((index for index, item in enumerate(stated) if item.expectation.kind is kind), None)
    if index is None:
        return Expected(turn.place, (*stated, ExpectationWithMatchers(made(Expectation(kind)))) if there else stated)
    changed = (replace(stated[index], expectation=made(stated[index].expectation)),) if there else ()
    return Expected(turn.place, (*stated[:index], *changed, *stated[index + 1 :]))


def _sentences(case: Case) -> Json | Absent:
    return [
        expectation.text or expectation.reference
        for expectation in case.expectations
        if expectation.kind is Expects.CRITERION
    ] or ABSENT


def _expect_sentences(case: Case, value: Json | Absent) -> Sequence[GoldenChange]:
    """Those that stay keep their place; others are new."""
    stated = stated_expectations(case, case.expectations)
    by_text = {item.expectation.text or item.expectation.reference: item for item in stated}
    texts = [str(item) for item in value] if isinstance(value, list) else []
    others = [item for item in stated if item.expectation.kind is not Expects.CRITERION]
    new = (
        by_text.get(text) or ExpectationWithMatchers(Expectation(Expects.CRITERION, reference=text)) for text in texts
    )
    return [Expected(case.place, (*others, *new))]


_MOCKED: Json = [{"tool": "find", "response": {"seats": 2}}]
_TURN: tuple[tuple[str, str, Kind, Read, Write, Json, str, Sequence[tuple[str, str]]], ...] = (
    ("turn-transfers", N_("Hands over to"), Kind.LINES, _transfers, _hand_over, ["clerk"],
     N_("Nobody; or names of agents, one a line"), ()),
    ("turn-results", N_("Tool results"), Kind.VALUE,
     lambda _case, turn: _written_results(_results(turn)), _expect_results, _MOCKED, _RESULTS, ()),
    ("turn-mocks", N_("Mocked answers"), Kind.VALUE,
     lambda _case, turn: _written_results(_stated_results(turn, Expects.MOCK)), _mock, _MOCKED, _RESULTS, ()),
    ("turn-variables", N_("Sets variables"), Kind.OBJECT, _variables, _expect_variables, {"seats": 2},
     N_('None; or write them as JSON: {"seats": 2}'), ()),
    ("turn-no-calls", "Tools", Kind.CHOICE, _no_calls, _expect_no_calls, "none", "", NO_CALLS),
    ("turn-skips", N_("Not judged"), Kind.LINES, _skips, _skip, ["call"],
     N_("Everything is judged. To leave out, one a line: call, result, answer, transfer, variables"), ()),
)  # fmt: skip
_SENTENCES = GoldenField(
    "case-sentences", "The whole conversation meets", Kind.LINES, "Change what the conversation must meet",
    _sentences, _expect_sentences, ["polite"], "Nothing; or one sentence, or the name of one, a line",
)  # fmt: skip
