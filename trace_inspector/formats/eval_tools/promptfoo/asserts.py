"""Asserts of promptfoo: what they expect, what is only shown, and what they gave. Code in them is never run."""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.core.verdict.verdict import MetricVerdict, Provenance, Status
from trace_inspector.formats.common.fields import Fields, or_null

# What compares words as we can too; whatever else an assert does is shown as it stands.
_WORDS = {"equals": "EQUALS", "contains": "CONTAINS", "contains-all": "CONTAINS"}
_JUDGED = ("llm-rubric", "g-eval", "model-graded-closedqa", "factuality", "model-graded-factuality")
_CHECK = "answer_check"
_WITHOUT_VALUE = ("is-json", "contains-json")
_COMPUTED = (
    "equals", "contains", "icontains", "contains-all", "contains-any", "icontains-all", "icontains-any",
    "starts-with", "regex", "levenshtein", "word-count", "rouge-n", "bleu", *_WITHOUT_VALUE,
)  # fmt: skip
_OVERLAPS = ("rouge-n", "bleu")  # the names are promptfoo's, the counting ours
_FIGURES = {"latency": "latencyMs", "cost": "cost"}  # what a result states, by the assert that limits it
_CHANGES = ("transform", "contextTransform")  # what changes the answer before it is compared
_SET = "assert-set"
_TEMPLATE = ("{{", "{%")
_DEEPEST = 4
_SHOWN = 60


class ExpectedByAsserts(Struct, frozen=True):
    """What a test expects of its turn and of the case, and its other asserts."""

    of_the_turn: tuple[Expectation, ...]
    of_the_case: tuple[Expectation, ...]
    shown: tuple[Extra, ...]


def expected_of(asserts: list[Fields]) -> ExpectedByAsserts:
    """The asserts of a test, those within sets too."""
    words: list[Expectation] = []
    judged: list[Expectation] = []
    shown: list[Extra] = []
    for one in _flat(asserts, 0):
        kind, value = one.text("type") or "", or_null(one.get("value"))
        texts = _texts(one) if kind in _WORDS else []
        if texts:
            words += [
                Expectation(Expects.ANSWER, (Text(text, place),), compared_by=_WORDS[kind], place=one.place)
                for text, place in texts
            ]
        elif kind in _JUDGED and isinstance(value, str):
            judged.append(Expectation(Expects.CRITERION, text=value, note=kind, place=one.place))
        elif kind != _SET:
            shown.append(Extra(f"assert: {kind or 'unknown'}", dict(one.value), one.place))
    return ExpectedByAsserts(tuple(words), tuple(judged), tuple(shown))


def computed_of(asserts: list[Fields], result: Fields) -> tuple[Criterion, ...]:
    """The asserts that compare the answer as `answer_check` does, under the names they are reported by.

    Of time and cost the figure that the result states is compared.
    """
    made = (_limited(one, result) or _computed(one) for one in _flat(asserts, 0))
    return tuple(criterion for criterion in made if criterion is not None)


def _limited(one: Fields, result: Fields) -> Criterion | None:
    kind = one.text("type") or ""
    name = _FIGURES.get(kind.removeprefix("not-"))
    figure, most = result.number(name) if name is not None else None, one.number("threshold")
    if figure is None or most is None:
        return None
    return Criterion(f"{_CHECK}:{_name(one)}", 1.0, {"type": kind, "most": most, "figure": figure}, one.place)


def _computed(one: Fields) -> Criterion | None:
    kind, value = one.text("type") or "", or_null(one.get("value"))
    plain = kind.removeprefix("not-")
    needs_none = plain in _WITHOUT_VALUE
    if plain not in _COMPUTED or needs_none != (value is None) or any(one.key(name) for name in _CHANGES):
        return None
    listed: list[Json] = value if isinstance(value, list) else [value]
    if any(isinstance(text, str) and not _is_plain(text) for text in listed):
        return None
    options: dict[str, Json] = {"type": kind} if needs_none else {"type": kind, "value": value}
    if plain == "levenshtein" and (most := one.number("threshold")) is not None:
        options["most"] = most
    if plain in _OVERLAPS and (least := one.number("threshold")) is not None:
        options["least"] = least
    return Criterion(f"{_CHECK}:{_name(one)}", 1.0, options, one.place)


def reported_by(grading: Fields, asserts: list[Fields]) -> Iterator[MetricVerdict]:
    """What each assert gave; those without a name of their own stand in the order of the test's asserts."""
    components = grading.objects("componentResults")
    stated = asserts if len(asserts) == len(components) else []
    for index, component in enumerate(components):
        of_it = component.object("assertion") or (stated[index] if stated else None)
        yield from _reported(component, of_it, 0)


def _reported(component: Fields, of_it: Fields | None, depth: int) -> Iterator[MetricVerdict]:
    passed = component.get("pass")
    yield MetricVerdict(
        metric=_name(of_it),
        score=component.number("score"),
        status=Status.NOT_EVALUATED if not isinstance(passed, bool) else Status.PASSED if passed else Status.FAILED,
        threshold=of_it.number("threshold") if of_it is not None else None,
        reason=component.text("reason") or "",
        provenance=Provenance.REPORTED,
        native=passed if isinstance(passed, bool) else ABSENT,
    )
    within = component.objects("componentResults") if depth < _DEEPEST else []
    for inner in within:
        yield from _reported(inner, inner.object("assertion"), depth + 1)


def _name(of_it: Fields | None) -> str:
    """The name under which an assert counts, else its kind with the beginning of its value."""
    if of_it is None:
        return "assert"
    if metric := of_it.text("metric"):
        return metric
    kind, value = of_it.text("type") or "assert", or_null(of_it.get("value"))
    if value in (None, ""):
        return kind
    words = " ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).split())
    return f"{kind}: {words if len(words) <= _SHOWN else words[: _SHOWN - 1] + '…'}"


def _flat(asserts: list[Fields], depth: int) -> Iterator[Fields]:
    for one in asserts:
        yield one
        if one.text("type") == _SET and depth < _DEEPEST:
            yield from _flat(one.objects("assert"), depth + 1)


def _texts(one: Fields) -> list[tuple[str, str]]:
    """The words that an assert looks for with their places; none where a template or a file would make them."""
    value = or_null(one.get("value"))
    listed: list[Json] = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) and _is_plain(text) for text in listed):
        return []
    place = one.pointer("value")
    return [
        (str(text), join(place, index) if isinstance(value, list) else place) for index, text in enumerate(listed)
    ]


def _is_plain(text: str) -> bool:
    return bool(text) and not text.startswith("file://") and not any(mark in text for mark in _TEMPLATE)
