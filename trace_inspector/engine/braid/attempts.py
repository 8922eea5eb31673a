"""One run of a case as the braid sees it: its steps in order, how it came out, and what its criteria compare."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.parts import Text, Thought, ToolCall, Transfer
from trace_inspector.core.trace.summary import transfer_target
from trace_inspector.core.trace.trace import PairedCall, Trace, Turn, answer_text, paired_calls, stated_duration_s
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import CaseVerdict, Status

# Of one run no more steps are looked at: what is longer is a runaway, and its beginning tells that.
MOST_STEPS = 2_000
_NOBODY = frozenset({"", "user", "tool", "system"})  # who does not take the conversation over


class StepKind(enum.StrEnum):
    """What a step is. A text, as labels are looked up millions of times and other members hash in Python."""

    TURN = "turn"
    CALL = "call"
    HAND_OFF = "hand-off"
    ANSWER = "answer"


Label: TypeAlias = tuple[StepKind, str]
MADE = frozenset({StepKind.CALL, StepKind.HAND_OFF})  # what an agent does between question and answer
CaseName: TypeAlias = tuple[str, ...]  # suite, case, candidate, persona


class AttemptStep(Struct, frozen=True):
    """One step: its turn counted from 0, and of a call its arguments, its time and whether it ended in an error.

    `call` is its number among the calls of the turn; a hand-off without one has none.
    """

    label: Label
    turn: int
    args: Json = None
    seconds: float | None = None
    is_error: bool = False
    call: int | None = None


class Attempt(Struct, frozen=True):
    """One run of a case that passed or failed.

    `criteria` are the names of those that failed, `compared` the tools that are expected of it; None is not known.
    """

    case: CaseName
    failed: bool
    steps: tuple[AttemptStep, ...]
    seconds: float | None = None
    criteria: tuple[str, ...] = ()
    compared: frozenset[str] | None = None
    path: str = ""
    trace_id: str = ""
    place: str = ""
    cut: bool = False  # it had more than MOST_STEPS

    @property
    def key(self) -> tuple[object, ...]:
        """What orders runs whatever the order of the files; runs that share it are alike in everything told."""
        return (self.case, self.path, self.place, self.trace_id, self.failed, [step.label[1] for step in self.steps])


def attempt_of(
    verdict: CaseVerdict, trace: Trace, failed: bool, path: str = "", expected: Iterable[str] | None = None
) -> Attempt:
    """A trace with its verdict. `expected` are the tools that its golden names, where there is one."""
    steps: list[AttemptStep] = []
    for step in _steps(trace):
        steps.append(step)
        if len(steps) > MOST_STEPS:
            break
    durations = [duration for turn in trace.turns if (duration := stated_duration_s(turn)) is not None]
    return Attempt(
        (verdict.suite_id, verdict.case_id, verdict.candidate, verdict.persona),
        failed,
        tuple(steps[:MOST_STEPS]),
        sum(durations) if len(durations) == len(trace.turns) and durations else None,
        failed_criteria(verdict) if failed else (),
        _compared(verdict, expected),
        path,
        trace.id,
        trace.place,
        len(steps) > MOST_STEPS,
    )


def failed_criteria(verdict: CaseVerdict) -> tuple[str, ...]:
    """The names of the criteria that failed: of the case, else of its turns."""
    of_turns = [metric for turn in verdict.turns for metric in turn.metrics]
    for metrics in (verdict.metrics, of_turns):
        names = dict.fromkeys(metric.metric for metric in metrics if metric.status is Status.FAILED)
        if names:
            return tuple(names)
    return ()


def _compared(verdict: CaseVerdict, expected: Iterable[str] | None) -> frozenset[str] | None:
    """The tools that a verdict tells to be missing, or not as expected; else those that the golden names."""
    metrics = (*verdict.metrics, *(metric for turn in verdict.turns for metric in turn.metrics))
    parts = [part for metric in metrics for part in metric.expectations]
    failed = [part.what for part in parts if part.status is Status.FAILED and part.what.startswith(_EXPECTED_CALL)]
    if failed:
        return frozenset(what.removeprefix(_EXPECTED_CALL) for what in failed)
    return None if expected is None else frozenset(expected)


_EXPECTED_CALL = "call "


def _steps(trace: Trace) -> Iterator[AttemptStep]:
    speaker = _Speaker()
    for number, turn in enumerate(trace.turns):
        yield AttemptStep((StepKind.TURN, str(number + 1)), number)
        yield from _steps_of(turn, number, speaker)
        if answer_text(turn):
            yield AttemptStep((StepKind.ANSWER, ""), number)


class _Speaker:
    """Who acts: as events name their author, and as hand-offs say. Who acts unannounced took over, too."""

    def __init__(self) -> None:
        self._author = self._handed_to = ""

    def hands_to(self, target: str) -> bool:
        """Whether this hands the conversation over, and not again to whom it was handed before."""
        is_new = target not in ("", self._handed_to)
        self._handed_to = target or self._handed_to
        return is_new

    def acts(self, author: str) -> bool:
        """Whether somebody else acts than before, to whom nobody handed over."""
        if author in _NOBODY or author == self._author:
            return False
        took_over = bool(self._author) and author != self._handed_to
        self._author = author
        if took_over:
            self._handed_to = author
        return took_over


def _steps_of(turn: Turn, number: int, speaker: _Speaker) -> Iterator[AttemptStep]:
    calls = iter(enumerate(paired_calls(turn)))
    has_times = "times" not in turn.guessed
    for event in turn.events:
        if any(isinstance(part, Text | Thought | ToolCall) for part in event.parts):
            actor = _actor(event.author, event.parts)
            if speaker.acts(actor):
                yield AttemptStep((StepKind.HAND_OFF, actor), number)
        for part in event.parts:
            target = part.target if isinstance(part, Transfer) else ""
            index = None
            if isinstance(part, ToolCall):
                index, paired = next(calls)
                target = transfer_target(part)
                if not target:
                    yield replace(_call(paired, turn, number, has_times), call=index)
            if target and speaker.hands_to(target):
                yield AttemptStep((StepKind.HAND_OFF, target), number, call=index)


def _actor(author: str, parts: Sequence[object]) -> str:
    return next((part.agent for part in parts if isinstance(part, ToolCall) and part.agent), author)


def _call(paired: PairedCall, turn: Turn, number: int, has_times: bool) -> AttemptStep:
    call, result = paired.call, paired.result
    answered = turn.events[paired.result_event] if paired.result_event is not None else None
    return AttemptStep(
        (StepKind.CALL, call.name),
        number,
        None if isinstance(call.args, Absent) else call.args,
        answered.duration_s if answered is not None and has_times else None,
        result is not None and result.is_error,
    )
