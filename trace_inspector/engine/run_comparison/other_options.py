"""Whether criteria of one name were the same in two runs, by the options that change what is decided."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pydantic import ValidationError

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.run_comparison.compared_case import decisive
from trace_inspector.engine.scoring.metric import metric_for
from trace_inspector.engine.scoring.metric_names import TOOL_TRAJECTORY, TRAJECTORY_MATCH

Stated: TypeAlias = Mapping[
    str, Sequence[JsonObject]
]  # by metric, the options that the criteria of a run state for it
_JUDGE = "judge_model_options"
_SAMPLES = "num_samples"
_HOW_OFTEN = frozenset({_SAMPLES, "parallelism_limit"})  # more votes are surer, and of the same
_INSTEAD = {TRAJECTORY_MATCH: TOOL_TRAJECTORY}  # where a golden has matchers
_MOST_TOLD = 3
_NAME_CHARS, _VALUE_CHARS = 80, 40


class OtherOptions:
    """Two runs' criteria held against each other, each metric once."""

    def __init__(self, before: Stated, after: Stated) -> None:
        self._sides = before, after
        self._reasons: dict[str, str] = {}

    def why_apart(self, base: CaseVerdict, new: CaseVerdict) -> str:
        """What was another option of a criterion that decided both; "" where none was, or where one is not known."""
        decided = decisive((new,))
        for name in decisive((base,)):
            if name not in self._reasons:
                self._reasons[name] = self._why(name)
            if name in decided and self._reasons[name]:
                return self._reasons[name]
        return ""

    def notes(self) -> Iterator[str]:
        """Judges that were asked another number of times: that makes none another criterion."""
        before, after = self._sides
        for name in before:
            sides = [{_samples(name, options) for options in side.get(name, ())} for side in (before, after)]
            if len(sides[0]) == len(sides[1]) == 1 and sides[0] != sides[1] and None not in sides[0] | sides[1]:
                votes = f"{sides[0].pop()} votes in the baseline and {sides[1].pop()} in the candidate"
                yield f"{one_line(name, _NAME_CHARS)} was judged by {votes}."

    def _why(self, name: str) -> str:
        """Of criteria of several golden files one that both runs have is enough: whose it was is not known."""
        before, after = ([*_stated(side, name)] for side in self._sides)
        reasons = [_why(name, earlier, later) for earlier in before for later in after]
        return reasons[0] if all(reasons) and reasons else ""


def _stated(side: Stated, name: str) -> Sequence[JsonObject]:
    return side.get(name) or side.get(_INSTEAD.get(name, ""), ())


def _why(name: str, before: JsonObject, after: JsonObject) -> str:
    """Values are told of options that are known here alone: nobody knows what others hold."""
    first, other = _read(name, before), _read(name, after)
    are_read = first is not None and other is not None
    if first is None or other is None:
        first, other = _flat(before), _flat(after)
    differing = [key for key in {**first, **other} if not _same(first.get(key), other.get(key))]
    changes = [_change_text(key, first.get(key), other.get(key), are_read=are_read) for key in differing[:_MOST_TOLD]]
    if len(differing) > _MOST_TOLD:
        changes.append(f"{len(differing) - _MOST_TOLD} more")
    return f"another {one_line(name, _NAME_CHARS)}: {', '.join(changes)}" if changes else ""


def _read(name: str, options: JsonObject) -> dict[str, Any] | None:
    """With what the metric takes for granted; None where it would not take them, or is not known here."""
    metric = metric_for(name, METRICS)
    if metric is None:
        return None
    if metric.parameters is None:
        return {}
    try:
        return _flat(metric.parameters.model_validate(options).model_dump())
    except (ValidationError, RecursionError):
        return None


def _flat(options: Mapping[str, Any]) -> dict[str, Any]:
    judge = options.get(_JUDGE)
    inside = judge if isinstance(judge, Mapping) else {}
    flat = {**{key: value for key, value in options.items() if key != _JUDGE}, **inside}
    return {key: value for key, value in flat.items() if key not in _HOW_OFTEN}


def _samples(name: str, options: JsonObject) -> int | None:
    metric = metric_for(name, METRICS)
    if metric is None or metric.parameters is None or _JUDGE not in metric.options:
        return None
    try:
        judge = metric.parameters.model_validate(options).model_dump()[_JUDGE]
    except (ValidationError, RecursionError):
        return None
    return int(judge[_SAMPLES])


def _same(value: object, other: object) -> bool:
    """What is no number is the same as itself here."""
    try:
        return json.dumps(value, sort_keys=True, default=str) == json.dumps(other, sort_keys=True, default=str)
    except (TypeError, RecursionError):
        return False


def _change_text(key: str, value: object, other: object, *, are_read: bool) -> str:
    values = [_value(value), _value(other)] if are_read else [""]
    name = one_line(key, _VALUE_CHARS)
    return f"other {name}" if "" in values else f"{name} {' and '.join(values)}"


def _value(value: object) -> str:
    """What is short enough to be told."""
    if isinstance(value, enum.Enum):
        return value.value if isinstance(value.value, str) else value.name
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    text = one_line(str(value), _VALUE_CHARS) if isinstance(value, str | int | float) else ""
    return "" if text.endswith("…") else text
