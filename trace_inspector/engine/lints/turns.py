"""Lints of a turn's words and expectations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.golden.argument_check import ArgumentProblem, argument_problems
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Answers, Calls, ExpectedCall, Turns
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.summary import compact
from trace_inspector.core.trace.tools import declared_arguments
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of
from trace_inspector.core.values.pointer import join, resolve, split
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.value_paths import without_value
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.engine.lints.lint import Fix, Hint

_MOST_VALUES = 2_000
_DATE = r"\d{4}-\d{2}-\d{2}"
_VOLATILE = {
    "an id": re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|(?=\w*\d)(?=\w*[a-f])[0-9a-f]{24,64}"),
    "a moment": re.compile(rf"{_DATE}[T ]\d{{2}}:\d{{2}}(?::\d{{2}}(?:\.\d+)?)?(?:Z|[+-]\d{{2}}:?\d{{2}})?"),
    "a date": re.compile(_DATE),
}
_EPOCH_S, _EPOCH_END_S = 1_000_000_000, 4_000_000_000
_EPOCH_NAME = re.compile(r"time|date|stamp|(?:^|_)(?:at|ts|epoch)$", re.IGNORECASE)


def silent_users(case: Case) -> Iterator[Hint]:
    """Turns without words of the user."""
    for turn in case.turns:
        if all(isinstance(part, Text) and not part.text.strip() for part in turn.user):
            kept = tuple(other for other in case.turns if other is not turn)
            fix = Fix(f"Take turn {turn.index + 1} out", (Turns(kept),)) if kept else None
            yield Hint("silent-user", f"In turn {turn.index + 1} the user says nothing.", case.place, turn.place, fix)


def empty_answers(case: Case) -> Iterator[Hint]:
    """Expected answers without text."""
    for turn in case.turns:
        if turn.final_response is not None and not answer_text(turn).strip():
            sentence = f"Turn {turn.index + 1} expects an answer without words."
            fix = Fix("Expect no answer", (Answers(turn.place, None),))
            yield Hint("empty-answer", sentence, case.place, turn.place, fix)


def undeclared_tools(case: Case) -> Iterator[Hint]:
    """Calls of tools that no agent of the turn declares, where the file has declarations."""
    for turn in case.turns:
        declared = _declared(turn)
        for call in calls_of(turn) if declared else ():
            if call.name not in declared:
                sentence = f"No agent of turn {turn.index + 1} declares a tool “{call.name}”."
                yield Hint("undeclared-tool", sentence, case.place, call.place, _without(case, turn, call))


def wrong_arguments(case: Case) -> Iterator[Hint]:
    """Arguments that the declared schema does not allow."""
    for turn in case.turns:
        declared = _declared(turn)
        for call in calls_of(turn):
            for misfit in argument_problems(call.args, declared.get(call.name)):
                named = "/".join(split(misfit.pointer)) or "The arguments"
                sentence = f"{call.name}: {named} {misfit.sentence}."
                fix = _without_value(case, turn, call, misfit, declared.get(call.name))
                yield Hint("wrong-argument", sentence, case.place, f"{call.place}/args{misfit.pointer}", fix)


def volatile_values(case: Case) -> Iterator[Hint]:
    """Ids and times that are compared exactly, though each run has new ones."""
    covered = [matcher.place for matcher in case.matchers]
    for turn in case.turns:
        for call in calls_of(turn):
            for pointer, kind, value in _volatile(call.args):
                place = f"{call.place}/args{pointer}"
                if not any(is_below(place, covered_place) for covered_place in covered):
                    sentence = f"{call.name}: {compact(value, 40)} looks like {kind}, and is compared exactly."
                    fix = Fix("Ignore it", (_ignoring(case, turn, call, pointer),))
                    yield Hint("volatile-value", sentence, case.place, place, fix)


def expected(case: Case, turn: Turn) -> list[ExpectedCall]:
    """The expected calls of a turn with the matchers that they have."""
    return [ExpectedCall(call, matchers_of(case, call)) for call in calls_of(turn)]


def matchers_of(case: Case, call: ToolCall) -> tuple[Matcher, ...]:
    """The matchers of a call, their places beginning below its arguments."""
    around = f"{call.place}/args"
    return tuple(
        replace(matcher, place=matcher.place[len(around) :])
        for matcher in case.matchers
        if is_below(matcher.place, around)
    )


def _ignoring(case: Case, turn: Turn, call: ToolCall, pointer: str) -> Calls:
    calls = [
        replace(expectation, matchers=(*expectation.matchers, Matcher(pointer, Match.IGNORE)))
        if expectation.call is call
        else expectation
        for expectation in expected(case, turn)
    ]
    return Calls(turn.place, tuple(calls))


def _without_value(case: Case, turn: Turn, call: ToolCall, misfit: ArgumentProblem, schema: Json) -> Fix | None:
    """A fix that removes the misfit, where the schema allows that."""
    if not misfit.pointer or not isinstance(call.args, dict) or resolve(call.args, misfit.pointer) is ABSENT:
        return None
    args = without_value(call.args, misfit.pointer)
    if len(argument_problems(args, schema)) >= len(argument_problems(call.args, schema)):
        return None
    calls = [
        replace(
            expectation,
            call=replace(call, args=args),
            matchers=tuple(rule for rule in expectation.matchers if not is_below(rule.place, misfit.pointer)),
        )
        if expectation.call is call
        else expectation
        for expectation in expected(case, turn)
    ]
    return Fix("Take the value out", (Calls(turn.place, tuple(calls)),))


def _without(case: Case, turn: Turn, call: ToolCall) -> Fix:
    kept = tuple(expectation for expectation in expected(case, turn) if expectation.call is not call)
    return Fix("Take the call out", (Calls(turn.place, kept),))


def _declared(turn: Turn) -> dict[str, Json]:
    return declared_arguments(tool for agent in turn.agents for tool in agent.tools)


def _volatile(args: object) -> Iterator[tuple[str, str, Json]]:
    """Pointer, kind and value of values that seem to be generated in each run, among a bounded number."""
    waiting: list[tuple[str, Json]] = [("", args)] if isinstance(args, dict) else []
    for _ in range(_MOST_VALUES):
        if not waiting:
            return
        pointer, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(join(pointer, name), inner) for name, inner in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [
                (join(pointer, index), value[index]) for index in reversed(range(min(len(value), _MOST_VALUES)))
            ]
        elif isinstance(value, str):
            kind = next((kind for kind, pattern in _VOLATILE.items() if pattern.fullmatch(value)), None)
            if kind:
                yield pointer, kind, value
        elif _is_moment(pointer, value):
            yield pointer, "a moment", value


def _is_moment(pointer: str, value: Json) -> bool:
    """Whether it is a Unix time under a key that names a time."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not _EPOCH_NAME.search(split(pointer)[-1]):
        return False
    return any(_EPOCH_S <= value / unit <= _EPOCH_END_S for unit in (1, 1_000, 1_000_000, 1_000_000_000))
