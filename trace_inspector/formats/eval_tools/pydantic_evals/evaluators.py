"""Evaluators of pydantic-evals: what they expect, what is only shown, what we compute too. None of them is run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, or_null

_CHECK = "answer_check"
_JUDGES = {"LLMJudge": "rubric", "GEval": "criteria"}
_WORDS = {"Equals": "EQUALS", "Contains": "CONTAINS"}


class Evaluator(Struct, frozen=True):
    """One evaluator by its name, with its only argument or all of them by name."""

    name: str
    given: Json
    place: str

    def argument(self, name: str) -> Json:
        """The argument of that name, which may stand alone, or be the only one in a list."""
        if isinstance(self.given, dict):
            return self.given.get(name)
        if isinstance(self.given, list):
            return self.given[0] if self.given else None
        return self.given


class ExpectedByEvaluators(Struct, frozen=True):
    """What the evaluators of a case expect of its turn and of the case, and all others as they stand."""

    of_the_turn: tuple[Expectation, ...]
    of_the_case: tuple[Expectation, ...]
    shown: tuple[Extra, ...]


def evaluators_in(owner: Fields) -> Iterator[Evaluator]:
    """The evaluators of a case or of all cases: names, or names with what they are given."""
    listed = owner.get("evaluators")
    for index, stated in enumerate(listed if isinstance(listed, list) else ()):
        place = join(owner.pointer("evaluators"), index)
        if isinstance(stated, str):
            yield Evaluator(stated, None, place)
        elif isinstance(stated, dict) and isinstance(stated.get("name"), str) and "arguments" in stated:
            yield Evaluator(str(stated["name"]), stated["arguments"], place)
        elif isinstance(stated, dict) and len(stated) == 1:
            ((name, given),) = stated.items()
            yield Evaluator(name, given, join(place, name))


def expected_of(evaluators: Sequence[Evaluator], case: Fields) -> ExpectedByEvaluators:
    """What is expected of a case by these evaluators."""
    words: list[Expectation] = []
    judged: list[Expectation] = []
    shown: list[Extra] = []
    for one in evaluators:
        text = one.argument("value")
        sentence = one.argument(_JUDGES[one.name]) if one.name in _JUDGES else None
        answer = or_null(case.get("expected_output"))
        if one.name in _WORDS and isinstance(text, str) and text and _is_exact(one):
            parts = (Text(text, one.place),)
            words.append(Expectation(Expects.ANSWER, parts, compared_by=_WORDS[one.name], place=one.place))
        elif one.name == "EqualsExpected" and isinstance(answer, str) and answer:
            parts = (Text(answer, case.pointer("expected_output")),)
            words.append(Expectation(Expects.ANSWER, parts, compared_by="EQUALS", place=one.place))
        elif isinstance(sentence, str) and sentence:
            judged.append(Expectation(Expects.CRITERION, text=sentence, note=one.name, place=one.place))
        else:
            shown.append(Extra(f"evaluator: {one.name}", one.given, one.place))
    return ExpectedByEvaluators(tuple(words), tuple(judged), tuple(shown))


def _is_exact(one: Evaluator) -> bool:
    """Whether letters are compared as they are."""
    return not isinstance(one.given, dict) or one.given.get("case_sensitive") is not False


def computed_of(assertions: Sequence[Fields], case: Fields) -> tuple[Criterion, ...]:
    """The assertions that compare the answer as `answer_check` does, under the names they are reported by."""
    return tuple(criterion for stated in assertions if (criterion := _computed(stated, case)) is not None)


def _computed(stated: Fields, case: Fields) -> Criterion | None:
    source = stated.object("source") or Fields({}, "")
    name = source.text("name") or ""
    one = Evaluator(name, or_null(source.get("arguments")), stated.place)
    value = or_null(case.get("expected_output")) if name == "EqualsExpected" else one.argument("value")
    if (
        name not in (*_WORDS, "EqualsExpected")
        or not isinstance(value, str)
        or not isinstance(case.get("output"), str)
    ):
        return None
    kind = "contains" if name == "Contains" else "equals"
    options: dict[str, Json] = {"type": kind if _is_exact(one) else f"i{kind}", "value": value}
    return Criterion(f"{_CHECK}:{stated.text('name') or name}", 1.0, options, stated.place)


def as_words(value: Json) -> str:
    """An input or output in words: a text, the only text in an object, else all of it as JSON."""
    if isinstance(value, dict):
        stated = [inner for inner in value.values() if inner is not None]
        if len(stated) == 1 and isinstance(stated[0], str):
            return stated[0]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
