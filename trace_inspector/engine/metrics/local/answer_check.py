"""`answer_check`: whether the last answer has what one check asks for, computed as promptfoo's asserts are."""

from __future__ import annotations

import json
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder

from pydantic import BaseModel, ConfigDict, JsonValue

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.summary import compact
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MetricVerdict, against
from trace_inspector.engine.judges.questions.options import BOTH_NAMES, options_of
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject
from trace_inspector.engine.scoring.patterns import is_found, why_unusable

_NOT = "not-"
_SHOWN_CHARS = 80
_MOST_EDITS = 5  # the distance that promptfoo allows where none is stated
_MOST_CELLS = 4_000_000
_MOST_TRIES = 1_000  # places in an answer where JSON may begin


class CheckParameters(BaseModel):
    """What is checked: the type of an assert and its value.

    `most` is the greatest distance of `levenshtein` and the greatest `figure` of `latency` and `cost`; `least` is the
    smallest score of `rouge-n` and `bleu`.
    """

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True, extra="forbid")

    type: str = ""
    value: JsonValue = None
    most: float = _MOST_EDITS
    least: float | None = None
    figure: float | None = None


def _parameters(criterion: Criterion) -> CheckParameters:
    options = options_of(CheckParameters, criterion)
    kind = options.type.removeprefix(_NOT)
    if kind not in _KINDS:
        raise CannotJudge(f"{criterion.metric}: “type” should be one of {', '.join(_KINDS)}, also behind “{_NOT}”")
    if kind in _FIGURES and options.figure is None:
        raise CannotJudge(f"{criterion.metric}: “figure” should be the {kind} that is checked")
    if kind == "regex" and (problem := why_unusable(str(options.value))):
        raise CannotJudge(f"{criterion.metric}: the pattern cannot be used: {problem}")
    return options


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    options = _parameters(criterion)
    observed = [row.observed for row in subject.turns if row.observed is not None]
    if not observed:
        raise CannotJudge("the trace has no turn")
    kind = options.type.removeprefix(_NOT)
    is_turned = options.type.startswith(_NOT)
    try:
        holds, measured = _outcome(kind, answer_text(observed[-1]), options)
    except TimeoutError as problem:
        raise CannotJudge("searching for the pattern takes too long") from problem
    holds = holds is not is_turned
    score = 1.0 if holds else 0.0
    stated = "" if options.value is None else f" {compact(options.value, _SHOWN_CHARS)}"
    reason = measured or ("" if holds else f"the answer does not hold: {options.type}{stated}")
    verdict = MetricVerdict(criterion.metric, score, against(score, criterion.threshold), criterion.threshold, reason)
    return Judged(verdict, tuple(None for _row in subject.turns))


def _outcome(kind: str, answer: str, options: CheckParameters) -> tuple[bool, str]:
    """Whether a check holds; of what is measured also how much it was."""
    if kind in _FIGURES:
        figure = options.figure or 0.0
        return figure <= options.most, f"the {kind} was {figure:g}, and {options.most:g} is the limit"
    if kind not in _OVERLAPS:
        return CHECKS[kind](answer, options), ""
    name, usual, measure = _OVERLAPS[kind]
    least = usual if options.least is None else options.least
    texts = options.value if isinstance(options.value, list) else [options.value]
    score = max((measure(_text(text), answer) for text in texts), default=0.0)
    return score >= least, f"{name} as it is counted here is {score:.3g}, and {least:g} is the limit"


def _rouge(reference: str, answer: str) -> float:
    from trace_inspector.engine.metrics.adk.response_match import rouge_1

    return rouge_1(reference, answer).score or 0.0


def _bleu(reference: str, answer: str) -> float:
    from trace_inspector.engine.metrics.local.bleu import bleu

    return bleu(reference, answer)


def _texts(value: Json) -> list[str]:
    """Several values: a list, or a text with commas between."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    return [_text(item) for item in value] if isinstance(value, list) else [_text(value)]


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _equals(answer: str, options: CheckParameters) -> bool:
    if isinstance(options.value, dict | list):
        return _equal(_parsed(answer), options.value)
    return answer == _text(options.value)


def _equal(value: Json, other: Json) -> bool:
    """As JavaScript compares JSON: by value, and true is not 1."""
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(_equal(value[key], other[key]) for key in value)
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(_equal, value, other))
    return value == other and isinstance(value, bool) is isinstance(other, bool)


def _parsed(answer: str) -> Json:
    """What an answer says as JSON; a text of its own where it is none."""
    try:
        value: Json = json.loads(answer)
    except (ValueError, RecursionError):
        return answer
    return value


def _is_json(answer: str, _options: CheckParameters) -> bool:
    try:
        json.loads(answer)
    except (ValueError, RecursionError):
        return False
    return True


def _contains_json(answer: str, _options: CheckParameters) -> bool:
    decoder, start = JSONDecoder(), -1
    for _ in range(_MOST_TRIES):
        starts = [index for mark in "{[" if (index := answer.find(mark, start + 1)) >= 0]
        if not starts:
            return False
        start = min(starts)
        try:
            decoder.raw_decode(answer, start)
        except (JSONDecodeError, RecursionError):
            continue
        return True
    return False


def _levenshtein(answer: str, options: CheckParameters) -> bool:
    expected = _text(options.value)
    if len(answer) * len(expected) > _MOST_CELLS:
        raise CannotJudge("the texts are too long to count their edits")
    row = list(range(len(expected) + 1))
    for number, char in enumerate(answer, 1):
        before, row = row, [number]
        for index, other in enumerate(expected):
            row.append(min(before[index] + (char != other), before[index + 1] + 1, row[index] + 1))
    return row[-1] <= options.most


def _word_count(answer: str, options: CheckParameters) -> bool:
    count, value = len(answer.split()), options.value
    if isinstance(value, dict):
        least, most = value.get("min"), value.get("max")
        return not (isinstance(least, int | float) and count < least) and not (
            isinstance(most, int | float) and count > most
        )
    return str(count) == _text(value).strip()


Check = Callable[[str, CheckParameters], bool]

CHECKS: dict[str, Check] = {
    "equals": _equals,
    "contains": lambda answer, options: _text(options.value) in answer,
    "icontains": lambda answer, options: _text(options.value).lower() in answer.lower(),
    "contains-all": lambda answer, options: all(text in answer for text in _texts(options.value)),
    "contains-any": lambda answer, options: any(text in answer for text in _texts(options.value)),
    "icontains-all": lambda answer, options: all(text.lower() in answer.lower() for text in _texts(options.value)),
    "icontains-any": lambda answer, options: any(text.lower() in answer.lower() for text in _texts(options.value)),
    "starts-with": lambda answer, options: answer.startswith(_text(options.value)),
    "regex": lambda answer, options: is_found(_text(options.value), answer),
    "is-json": _is_json,
    "contains-json": _contains_json,
    "levenshtein": _levenshtein,
    "word-count": _word_count,
}

# What is measured: its name, the smallest score where none is stated, and how it is counted.
_OVERLAPS: dict[str, tuple[str, float, Callable[[str, str], float]]] = {
    "rouge-n": ("ROUGE-1", 0.75, _rouge),
    "bleu": ("BLEU", 0.5, _bleu),
}
_FIGURES = ("latency", "cost")  # the file states them
_KINDS = (*CHECKS, *_OVERLAPS, *_FIGURES)

METHOD = Method(_judge, parameters=CheckParameters, check=_parameters)
