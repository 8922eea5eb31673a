"""A metric that a command computes: it reads one JSON object on standard input and answers one on standard output.

The protocol is the one of agentevals' custom evaluators, so what is written for these works here, in any language. A
command is named by a person, on the command line or in the settings, and never by a file.
"""

from __future__ import annotations

import json
import math
import os
import shlex
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TypeGuard

from msgspec import Struct, field

from trace_inspector.core.errors import PluginError, UsageError
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn, answer_text, calls_of, user_text
from trace_inspector.core.values.values import ABSENT, Json, JsonObject, strict
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.metrics.added.command_process import answer_of
from trace_inspector.engine.scoring.metric import Judged, Method, Metric, Subject

PROTOCOL = "1.0"
THRESHOLD = 0.5  # the protocol's own, where a criterion states none
_SHOWN_CHARS = 100
_DETAIL_CHARS = 500
_STATUSES = {status.value: status for status in (Status.PASSED, Status.FAILED, Status.NOT_EVALUATED)}


class _Answer(Struct, frozen=True):
    """What the command said: the status is derived from the score where it says none."""

    score: float
    status: Status | None = None
    turns: list[float | None] = field(default_factory=list)
    details: JsonObject | None = None


def read_command(text: str, ours: Iterable[Metric]) -> tuple[str, tuple[str, ...]]:
    """The name and the command of NAME=COMMAND, parted as a shell would; nothing in it is expanded."""
    name, mark, line = (part.strip() for part in text.partition("="))
    try:
        parts = tuple(shlex.split(line, posix=os.name == "posix"))
    except ValueError as problem:
        raise UsageError(
            f"The command of a metric cannot be read: {problem}. Close every quotation mark."
        ) from problem
    if not mark or not name or not parts:
        example = "--metric-command 'short=python3 short.py'"
        raise UsageError(f"“{one_line(text, 60)}” is no NAME=COMMAND. Write, for example: {example}.")
    if any(metric.name == name for metric in ours):
        raise UsageError(f"“{one_line(name, 60)}” is a built-in metric. Give the command another name.")
    return name, parts


def command_row(name: str, command: Sequence[str]) -> Metric:
    """The metric of a command."""
    return Metric(
        name,
        name,
        "command",
        f"What {_shown(command)} answers: it reads the conversation as JSON and gives a score from 0 to 1.",
        partial(_method, tuple(command)),
        reads=("conversation",),
        default_threshold=THRESHOLD,
        any_option=True,
        same_count=False,
    )


def _method(command: tuple[str, ...]) -> Method:
    return Method(partial(_judge, command))


def _judge(command: tuple[str, ...], subject: Subject, criterion: Criterion) -> Judged:
    threshold = THRESHOLD if criterion.threshold is None else criterion.threshold
    observed = [row.observed for row in subject.turns if row.observed is not None]
    golden = [row.golden for row in subject.turns if row.golden is not None]
    asked: JsonObject = {
        "protocol_version": PROTOCOL,
        "metric_name": criterion.metric,
        "threshold": threshold,
        "config": strict(criterion.options),
        "invocations": [*_invocations(observed)],
        "expected_invocations": [*_invocations(golden)] if subject.case is not None else None,
    }
    try:
        answer = _read(answer_of(command, json.dumps(asked).encode("utf-8")))
    except PluginError as problem:
        raise PluginError(f"the command {_shown(command)} {problem}") from problem
    status = answer.status or against(answer.score, threshold)
    turns = iter(answer.turns)
    of_turns = tuple(
        None if row.observed is None else _of_turn(criterion.metric, next(turns, None), threshold)
        for row in subject.turns
    )
    native = answer.status.value if answer.status is not None else ABSENT
    reason = one_line(json.dumps(answer.details, ensure_ascii=False), _DETAIL_CHARS) if answer.details else ""
    return Judged(MetricVerdict(criterion.metric, answer.score, status, threshold, reason, native=native), of_turns)


def _of_turn(metric: str, score: float | None, threshold: float) -> MetricVerdict | None:
    return None if score is None else MetricVerdict(metric, score, against(score, threshold), threshold)


def _invocations(turns: Iterable[Turn]) -> Iterable[JsonObject]:
    """Turns as the protocol has them. A result that is no text is its JSON."""
    for turn in turns:
        results = [part for event in turn.events for part in event.parts if isinstance(part, ToolResult)]
        yield {
            "invocation_id": turn.id or str(turn.index),
            "user_content": user_text(turn),
            "final_response": answer_text(turn) if turn.final_response is not None else None,
            "intermediate_steps": {
                "tool_calls": [{"name": call.name, "args": _arguments(strict(call.args))} for call in calls_of(turn)],
                "tool_responses": [
                    {"name": result.name, "output": _text(strict(result.value)), "status": _word(result)}
                    for result in results
                ],
            },
            "performance_metrics": {"duration_s": turn.duration_s} if turn.duration_s is not None else None,
        }


def _arguments(value: Json) -> JsonObject:
    """An object, as the protocol wants them."""
    return value if isinstance(value, dict) else {} if value is None else {"value": value}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _word(result: ToolResult) -> str | None:
    return "error" if result.is_error else None


def _read(output: bytes) -> _Answer:
    """The answer; PluginError with the end of a sentence for what is none."""
    try:
        raw = json.loads(output)
    except (ValueError, RecursionError) as problem:
        beginning = one_line(output[: _SHOWN_CHARS * 4].decode("utf-8", "replace"), _SHOWN_CHARS)
        raise PluginError(f"did not answer with one JSON object, but “{beginning}”") from problem
    if not isinstance(raw, dict):
        raise PluginError("did not answer with one JSON object")
    score, status, turns = raw.get("score"), raw.get("status"), raw.get("per_invocation_scores") or []
    if not _is_score(score):
        raise PluginError(f"gave no score from 0 to 1: “score” is {one_line(json.dumps(score), _SHOWN_CHARS)}")
    if status is not None and (not isinstance(status, str) or status.upper() not in _STATUSES):
        raise PluginError(f"gave the status {one_line(json.dumps(status), _SHOWN_CHARS)}, which is none")
    if not isinstance(turns, list) or not all(each is None or _is_score(each) for each in turns):
        raise PluginError("gave “per_invocation_scores” that are no list of scores from 0 to 1 or null")
    return _Answer(
        float(score),
        _STATUSES[status.upper()] if status is not None else None,
        turns,
        raw["details"] if isinstance(raw.get("details"), dict) else None,
    )


def _is_score(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 1


def _shown(command: Sequence[str]) -> str:
    return f"“{one_line(shlex.join(command), _SHOWN_CHARS)}”"
