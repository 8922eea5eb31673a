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
        self._known: dict[str, str] = {}

    def why_apart(self, base: CaseVerdict, new: CaseVerdict) -> str:
        """What was another option of a criterion that decided both; "" where none was, or where one is not known."""
        decided = decisive((new,))
        for name in decisive((base,)):
            if name not in self._known:
                self._known[name] = self._why(name)
            if name in decided and self._known[name]:
                return self._known[name]
        return ""

    def notes(self) -> Iterator[str]:
        """Judges that were asked another number of times: that makes none another criterion."""
        before, after = self._sides
        for name in before:
            told = [{_samples(name, options) for options in side.get(name, ())} for side in (before, after)]
            if len(told[0]) == len(told[1]) == 1 and told[0] != told[1] and None not in told[0] | told[1]:
                votes = f"{told[0].pop()} votes in the baseline and {told[1].pop()} in the candidate"
                yield f"{one_line(name, _NAME_CHARS)} was judged by {votes}."

    def _why(self, name: str) -> str:
        """Of criteria of several golden files one that both runs have is enough: whose it was is not known."""
        before, after = ([*_stated(side, name)] for side in self._sides)
        found = [_why(name, one, other) for one in before for other in after]
        return found[0] if all(found) and found else ""


def _stated(side: Stated, name: str) -> Sequence[JsonObject]:
    return side.get(name) or side.get(_INSTEAD.get(name, ""), ())


def _why(name: str, before: JsonObject, after: JsonObject) -> str:
    """Values are told of options that are known here alone: nobody knows what others hold."""
    one, other = _read(name, before), _read(name, after)
    known = one is not None and other is not None
    if one is None or other is None:
        one, other = _flat(before), _flat(after)
    differing = [key for key in {**one, **other} if not _same(one.get(key), other.get(key))]
    told = [_told(key, one.get(key), other.get(key), known=known) for key in differing[:_MOST_TOLD]]
    if len(differing) > _MOST_TOLD:
        told.append(f"{len(differing) - _MOST_TOLD} more")
    return f"another {one_line(name, _NAME_CHARS)}: {', '.join(told)}" if told else ""


def _read(name: str, options: JsonObject) -> dict[str, Any] | None:
    """With what the metric takes for granted; None where it would not take them, or is not known here."""
    known = metric_for(name, METRICS)
    if known is None:
        return None
    if known.parameters is None:
        return {}
    try:
        return _flat(known.parameters.model_validate(options).model_dump())
    except (ValidationError, RecursionError):
        return None


def _flat(options: Mapping[str, Any]) -> dict[str, Any]:
    judge = options.get(_JUDGE)
    inside = judge if isinstance(judge, Mapping) else {}
    flat = {**{key: value for key, value in options.items() if key != _JUDGE}, **inside}
    return {key: value for key, value in flat.items() if key not in _HOW_OFTEN}


def _samples(name: str, options: JsonObject) -> int | None:
    known = metric_for(name, METRICS)
    if known is None or known.parameters is None or _JUDGE not in known.options:
        return None
    try:
        judge = known.parameters.model_validate(options).model_dump()[_JUDGE]
    except (ValidationError, RecursionError):
        return None
    return int(judge[_SAMPLES])


def _same(one: object, other: object) -> bool:
    """What is no number is the same as itself here."""
    try:
        return json.dumps(one, sort_keys=True, default=str) == json.dumps(other, sort_keys=True, default=str)
    except (TypeError, RecursionError):
        return False


def _told(key: str, one: object, other: object, *, known: bool) -> str:
    values = [_value(one), _value(other)] if known else [""]
    name = one_line(key, _VALUE_CHARS)
    return f"other {name}" if "" in values else f"{name} {' and '.join(values)}"


def _value(value: object) -> str:
    """What is short enough to be told."""
    if isinstance(value, enum.Enum):
        return value.name
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    told = one_line(str(value), _VALUE_CHARS) if isinstance(value, str | int | float) else ""
    return "" if told.endswith("…") else told
