"""The rows of a results folder that one case gives: its verdicts, turns, calls, votes and sentences."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.timing import Form, Mark, address
from trace_inspector.core.rows.turn_work import work_of_turn
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import (
    Trace,
    Turn,
    answer_text,
    input_tokens,
    output_tokens,
    paired_calls,
    total_tokens,
    turn_usage,
    user_text,
)
from trace_inspector.core.values.values import Absent, Json, JsonObject, strict
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Overruled, TurnVerdict

TEXT_CHARS: Final = 2_000  # of what was asked and answered: the whole stands in the conversation's own file
_TOOL, _UNTIMED = int(Form.TOOL), int(Mark.MOMENT)


class CaseResult(Struct, frozen=True):
    """What a case came to, with its golden and its conversation where they are at hand."""

    verdict: CaseVerdict
    golden: Case | None = None
    trace: Trace | None = None

    @property
    def turn_count(self) -> int:
        """How many turns were judged, missing ones included."""
        return len(self.verdict.turns)


def rows_of(result: CaseResult, run: str, judge: str) -> dict[str, list[JsonObject]]:
    """The rows by table. `judge` is who was asked in this run, "" for nobody."""
    return {name: list(make(_Case(result, run, judge))) for name, make in _TABLES.items()}


class _Case(Struct, frozen=True):
    """One case while its rows are made."""

    result: CaseResult
    run: str
    judge: str

    @property
    def subject(self) -> JsonObject:
        """What all its rows begin with."""
        verdict = self.result.verdict
        return {
            "run": self.run,
            "case_id": verdict.case_id,
            "suite": verdict.suite_id,
            "trace_id": verdict.trace_id,
            "attempt": verdict.repeat + 1,
            "turn": None,
        }

    @property
    def tags(self) -> list[Json]:
        return list(self.result.golden.tags) if self.result.golden else []

    def turns(self) -> Iterator[tuple[TurnVerdict, Turn | None, JsonObject]]:
        """Each turn that was judged, as it was recorded, and what its rows begin with."""
        trace = self.result.trace
        recorded = {turn.index: turn for turn in trace.turns} if trace else {}
        for verdict in self.result.verdict.turns:
            turn = recorded.get(verdict.index) if verdict.index is not None else None
            yield verdict, turn, {**self.subject, "turn": _number(verdict.index)}

    def judged(self) -> Iterator[tuple[MetricVerdict, Turn | None, JsonObject]]:
        """Each criterion of the case and of its turns."""
        for metric in self.result.verdict.metrics:
            yield metric, None, self.subject
        for verdict, turn, subject in self.turns():
            for metric in verdict.metrics:
                yield metric, turn, subject

    def place_of(self, turn: Turn | None) -> JsonObject:
        verdict = self.result.verdict
        return {"trace_file": verdict.trace_path, "place": turn.place if turn else verdict.trace_place}

    def judge_of(self, metric: MetricVerdict) -> str | None:
        asked = metric.replies or metric.votes or any(rubric.votes for rubric in metric.rubrics)
        return self.judge or None if asked else None


def _verdicts(case: _Case) -> Iterator[JsonObject]:
    verdict = case.result.verdict
    golden: JsonObject = {
        "tags": case.tags,
        "golden_file": verdict.golden_path,
        "golden_place": verdict.golden_place,
    }
    whole: JsonObject = {"about": "case", **golden, **case.place_of(None)}
    turns = case.result.trace.turns if case.result.trace else ()
    yield {
        **case.subject,
        **whole,
        "criterion": None,
        **_outcome(verdict),
        "tokens": _sum(map(_tokens, turns)),
        "seconds": _sum(map(_seconds, turns)),
    }
    for metric in verdict.metrics:
        yield {**case.subject, **whole, **_criterion(metric, case)}
    for of_turn, turn, subject in case.turns():
        rest: JsonObject = {
            "about": "turn",
            "golden_turn": _number(of_turn.golden_index),
            **golden,
            **case.place_of(turn),
        }
        spent: JsonObject = {"tokens": _tokens(turn), "seconds": _seconds(turn)} if turn else {}
        yield {**subject, **rest, "criterion": None, **_outcome(of_turn), **spent}
        for metric in of_turn.metrics:
            yield {**subject, **rest, **_criterion(metric, case)}


def _outcome(verdict: CaseVerdict | TurnVerdict | MetricVerdict) -> JsonObject:
    overruled: Overruled | None = verdict.overruled
    return {
        "status": verdict.status.value,
        "reason": verdict.reason or None,
        "provenance": verdict.provenance.value,
        "overruled_status": overruled.status.value if overruled else None,
    }


def _criterion(metric: MetricVerdict, case: _Case) -> JsonObject:
    return {
        "criterion": metric.metric,
        "metric_version": metric.version,
        **_outcome(metric),
        "score": _finite(metric.score),
        "threshold": _finite(metric.threshold),
        "judge": case.judge_of(metric),
    }


def _turns(case: _Case) -> Iterator[JsonObject]:
    for verdict, turn, subject in case.turns():
        if turn is None:
            continue
        usage = turn_usage(turn)
        yield {
            **subject,
            "golden_turn": _number(verdict.golden_index),
            "status": verdict.status.value,
            "user_text": _begun(user_text(turn)),
            "answer": _begun(answer_text(turn)),
            "agent": turn.final_author or None,
            "call_count": sum(isinstance(part, ToolCall) for event in turn.events for part in event.parts),
            "input_tokens": input_tokens(usage),
            "output_tokens": output_tokens(usage),
            "tokens": total_tokens(usage),
            "seconds": _seconds(turn),
            "spent": _spent(turn),
            "tags": case.tags,
            **case.place_of(turn),
        }


def _spent(turn: Turn) -> list[Json]:
    """The tokens of a turn by agent and model."""
    spent: dict[tuple[str, str | None], list[int | None]] = {}
    for event in turn.events:
        if event.usage is not None:
            own = spent.setdefault((event.author, event.model), [None, None])
            own[0] = _added(own[0], input_tokens(event.usage))
            own[1] = _added(own[1], output_tokens(event.usage))
    return [
        {"agent": agent, "model": model, "input_tokens": taken, "output_tokens": given}
        for (agent, model), (taken, given) in spent.items()
    ]


def _calls(case: _Case) -> Iterator[JsonObject]:
    for _verdict, turn, subject in case.turns():
        if turn is None:
            continue
        seconds = _seconds_of_calls(turn)
        for nth, paired in enumerate(paired_calls(turn)):
            call, event = paired.call, turn.events[paired.event]
            part = next(which for which, own in enumerate(event.parts) if own is call)
            yield {
                **subject,
                "nth": nth + 1,
                "tool": call.name,
                "agent": call.agent or event.author or None,
                "call_id": call.call_id,
                "arguments": _arguments(call.args),
                "answered": paired.result is not None,
                "failed": paired.result.is_error if paired.result else None,
                "seconds": seconds.get(address(paired.event, part)),
                "trace_file": case.result.verdict.trace_path,
                "place": call.place,
            }


def _seconds_of_calls(turn: Turn) -> Mapping[int, float]:
    """How long each tool took, by the place of its call, as the timeline shows it."""
    work = work_of_turn(turn)
    return {
        work.address[piece]: work.duration_s[piece]
        for piece in range(work.timed)
        if work.form[piece] == _TOOL and not work.mark[piece] & _UNTIMED and math.isfinite(work.duration_s[piece])
    }


def _votes(case: _Case) -> Iterator[JsonObject]:
    for metric, _turn, subject in case.judged():
        own: Sequence[tuple[str | None, str | None, Sequence[float | None]]] = (
            (None, None, metric.votes),
            *((rubric.rubric_id, rubric.text or None, rubric.votes) for rubric in metric.rubrics),
        )
        for rubric_id, text, votes in own:
            for nth, vote in enumerate(votes):
                yield {
                    **subject,
                    "criterion": metric.metric,
                    "rubric_id": rubric_id,
                    "rubric": text,
                    "nth": nth + 1,
                    "vote": _finite(vote),
                    "judge": case.judge_of(metric),
                }


def _sentences(case: _Case) -> Iterator[JsonObject]:
    for metric, turn, subject in case.judged():
        answer = answer_text(turn) if turn and metric.sentences else ""
        for nth, sentence in enumerate(metric.sentences):
            yield {
                **subject,
                "criterion": metric.metric,
                "nth": nth + 1,
                "support": sentence.support.value,
                "sentence": answer[sentence.start : sentence.end] or None,
                "reason": sentence.reason or None,
                "excerpt": sentence.excerpt or None,
                "excerpt_of": sentence.source or None,
                "trace_file": case.result.verdict.trace_path,
                "place": sentence.place or None,
            }


_TABLES: Final = {"verdicts": _verdicts, "turns": _turns, "calls": _calls, "votes": _votes, "sentences": _sentences}


def _begun(text: str) -> str:
    return text if len(text) <= TEXT_CHARS else f"{text[: TEXT_CHARS - 1]}…"


def _arguments(args: Json | Absent) -> str | None:
    return None if isinstance(args, Absent) else _begun(json.dumps(strict(args), ensure_ascii=False))


def _number(index: int | None) -> int | None:
    return None if index is None else index + 1


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _tokens(turn: Turn) -> int | None:
    return total_tokens(turn_usage(turn))


def _seconds(turn: Turn) -> float | None:
    return _finite(turn.duration_s)


def _added(total: int | None, more: int | None) -> int | None:
    return total if more is None else more + (total or 0)


def _sum(values: Iterator[int | None] | Iterator[float | None]) -> int | float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
