"""The fitted decision: its model is what its script fits, and it holds on sentences that it never saw."""

from __future__ import annotations

import json
import os
import re
from functools import cache

import pytest

from benchmarks.grounding_model import (
    OWN,
    Candidate,
    Unit,
    all_sets,
    balanced_accuracy,
    best_threshold,
    fit,
    left_out,
    sample_means,
)
from benchmarks.grounding_sets import LabelledUnit, authored, drawn, own, with_evidence
from trace_inspector.core.trace.parts import Text, ToolResult
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport
from trace_inspector.engine.grounding.decision.judge import judge_spans
from trace_inspector.engine.grounding.decision.model import (
    FILE,
    MeasuredFlags,
    Model,
    Sensitivity,
    Weight,
    fitted_model,
)
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.text.sentences import split
from trace_inspector.resources import folder

OTHERS = os.environ.get("TRACE_INSPECTOR_GROUNDING", "")
others = pytest.mark.skipif(not OTHERS, reason="TRACE_INSPECTOR_GROUNDING is not set")
FLAGS = frozenset({SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY})


def judge(answer: str, result: Json, sensitivity: Sensitivity = Sensitivity.CAREFUL) -> list[Sentence]:
    evidence = Evidence()
    parts = (ToolResult("read_page", result, place="/result"),)
    evidence.add_turn(Turn(0, user=(Text("Please have a look."),), events=(Event("agent", parts),)))
    return judge_spans(answer, split(answer), evidence, sensitivity)


def unit(*values: float, is_bad: bool) -> Unit:
    labelled = LabelledUnit("u", "", "", (), "", is_bad)
    candidates = (Candidate({"x": value, "y": 1 - value}, can_be_flagged=True) for value in values)
    return Unit(labelled, tuple(candidates), surely_flagged=False)


def test_a_feature_that_tells_all_apart_gets_the_weight() -> None:
    units = [unit(0.9, is_bad=True), unit(0.8, is_bad=True), unit(0.1, is_bad=False), unit(0.2, is_bad=False)]
    weights = fit({"one": units * 5})
    assert weights.weights[0] > 0 > weights.weights[1]
    threshold = best_threshold({"one": [one.probability(weights) for one in units]}, {"one": units})
    assert (
        balanced_accuracy([one.probability(weights) >= threshold for one in units], [True, True, False, False]) == 1
    )


def test_of_a_wrong_unit_the_sentence_counts_that_looks_wrong() -> None:
    mixed = [unit(0.9, 0.1, is_bad=True), unit(0.95, 0.05, is_bad=True)]
    weights = fit({"one": [*mixed, unit(0.1, is_bad=False), unit(0.05, 0.2, is_bad=False)] * 5})
    assert min(one.probability(weights) for one in mixed) > unit(0.2, is_bad=False).probability(weights)


def test_what_weighs_most_comes_first_and_only_what_speaks_against() -> None:
    model = Model(0.0, {"a": Weight(1.0, 0.0), "b": Weight(3.0, 0.5), "c": Weight(-2.0, 0.0)}, 1.0, 0.0, {}, {})
    assert model.weighed({"a": 1.0, "b": 1.0, "c": 1.0}) == ["b", "a"]
    assert model.probability({"a": 1.0, "b": 1.0, "c": 1.0}) == pytest.approx(0.6225, abs=1e-4)


def test_the_eager_setting_flags_whatever_the_careful_one_flags_and_more() -> None:
    assert fitted_model().thresholds["eager"] < fitted_model().thresholds["careful"]
    flagged = dict.fromkeys(Sensitivity, 0)
    for labelled, evidence in with_evidence(own("fit")[:200]):
        for sensitivity in Sensitivity:
            sentences = judge_spans(labelled.text, split(labelled.text), evidence, sensitivity)
            flagged[sensitivity] += any(sentence.support in FLAGS for sentence in sentences)
    assert flagged[Sensitivity.EAGER] > flagged[Sensitivity.CAREFUL]


@pytest.mark.parametrize(
    ("kind", "answer", "result"),
    [
        ("On prose", "The ferry has a sauna and a cinema.", "The ferry has a restaurant and a shop."),
        (
            "On tool results",
            "The fare rose by 31.7 percent.",
            [{"ship": "Aino", "deck": 3}, {"ship": "Siiri", "deck": 2}],
        ),
    ],
)
def test_a_flag_says_how_many_like_it_are_right_on_such_text(kind: str, answer: str, result: Json) -> None:
    (sentence,) = judge(answer, result)
    assert sentence.support is SentenceSupport.UNSUPPORTED
    assert re.search(rf"{kind} by strangers about [5-9] of 10 such flags are right\.", sentence.reason)


def test_how_many_flags_are_right_is_told_for_each_kind_and_probability() -> None:
    rows = (MeasuredFlags(0.4, 50, 0.55), MeasuredFlags(0.6, 40, 0.82))
    model = Model(0.0, {}, 1.0, 0.0, {}, {"records": rows, "prose": rows[:1]})
    assert [model.right_of_ten("records", p) for p in (0.45, 0.6, 0.9)] == [6, 8, 8]
    assert model.right_of_ten("prose", 0.9) == 6


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("Der Hafen liegt nördlich der alten Stadtmauer und ist nachts nicht beleuchtet.",
         "The harbour lies to the north of the old wall, and there are no lights at night."),
        ("You will probably enjoy the crossing.", [{"ship": "Aino", "deck": 3}, {"ship": "Siiri", "deck": 2}]),
        ("Wonderful.", {"ship": "Aino", "deck": 3}),
        ("Gladly.", "The Aino is a ferry that was built in Turku."),
        ("It is better.", "The Aino is a ferry that was built in Turku."),
        ("It is a freighter.", [{"ship": "Aino", "deck": 3}, {"ship": "Siiri", "deck": 2}]),
    ],
)  # fmt: skip
def test_what_words_cannot_decide_is_not_told(answer: str, result: Json) -> None:
    (sentence,) = judge(answer, result)
    assert sentence.support is SentenceSupport.CANNOT_TELL


def test_one_word_that_is_nowhere_in_prose_is_enough() -> None:
    prose = "The Aino is a ferry that was built in Turku."
    labels = [sentence.support for sentence in judge("It is a freighter. It is a ferry.", prose)]
    assert labels == [SentenceSupport.UNSUPPORTED, SentenceSupport.SUPPORTED]


def test_without_a_result_one_word_cannot_be_held_against_anything() -> None:
    evidence = Evidence()
    evidence.add_turn(Turn(0, user=(Text("Is the Aino a ferry that was built in Turku?"),)))
    (sentence,) = judge_spans("It is a freighter.", split("It is a freighter."), evidence)
    assert sentence.support is SentenceSupport.CANNOT_TELL


def test_a_figure_that_is_nowhere_is_flagged_in_any_language() -> None:
    (sentence,) = judge("Die Überfahrt dauert 47 Minuten.", "The crossing takes 95 minutes.")
    assert sentence.support in FLAGS


def test_what_stands_there_word_for_word_is_never_flagged() -> None:
    tried = 0
    for labelled in own("fit"):
        for _name, result in labelled.results:
            if isinstance(result, str) and len(result) < 2_000 and "\n" not in result:
                for span in split(result):
                    text = result[span.start : span.end]
                    flagged = [sentence for sentence in judge(text, result) if sentence.support in FLAGS]
                    assert not flagged, flagged
                    tried += 1
        if tried > 300:
            break
    assert tried > 300


@cache
def sets() -> dict[str, list[Unit]]:
    return all_sets()


@others
def test_the_features_are_those_that_the_model_was_fitted_to() -> None:
    """In a tenth of the sentences: whoever changed a rule or a word list without fitting again is told here."""
    kept = json.loads((folder("grounding") / FILE).read_text(encoding="utf-8"))["sample"]
    assert kept.keys() == fitted_model().weights.keys()
    assert sample_means() == pytest.approx(kept, abs=1e-6), "python -m benchmarks.grounding_model --write"


@others
@pytest.mark.campaign
def test_the_model_is_what_its_script_fits() -> None:
    weights = fit(sets())
    kept = fitted_model().weights
    assert list(kept) == list(weights.names)
    for name, weight, scale in zip(weights.names, weights.weights, weights.scales, strict=True):
        assert kept[name].weight == pytest.approx(weight / scale, abs=2e-6), (
            "python -m benchmarks.grounding_model --write"
        )


@others
@pytest.mark.campaign
def test_a_model_that_never_saw_a_set_is_right_on_it_more_often_than_by_chance() -> None:
    flags: list[bool] = []
    bad: list[bool] = []
    for name, units in sets().items():
        if name in OWN:
            continue
        training = left_out(sets(), name)
        weights = fit(training)
        threshold = best_threshold(
            {other: [one.probability(weights) for one in there] for other, there in training.items()}, training
        )
        here = [one.probability(weights) >= threshold for one in units]
        wrong = [one.labelled.is_bad for one in units]
        assert balanced_accuracy(here, wrong) > 0.6, name
        flags += here
        bad += wrong
    assert balanced_accuracy(flags, bad) > 0.68


def test_probabilities_are_calibrated() -> None:
    value = json.loads((folder("grounding") / FILE).read_text(encoding="utf-8"))
    for row in value["reliability"]:
        assert row["units"] < 100 or abs(row["unsupported"] - (row["from"] + 0.05)) < 0.15, row


def test_our_own_part_for_tuning_is_told_apart() -> None:
    units = drawn("tune")
    assert balanced_accuracy(flags(units), [one.is_bad for one in units]) > 0.75


def test_most_flags_on_what_strangers_wrote_are_right() -> None:
    units = authored("tune")
    flagged = [one.is_bad for one, is_flagged in zip(units, flags(units), strict=True) if is_flagged]
    assert sum(flagged) > 0.45 * sum(one.is_bad for one in units)
    assert sum(flagged) > 0.62 * len(flagged)


def flags(units: list[LabelledUnit]) -> list[bool]:
    return [
        any(sentence.support in FLAGS for sentence in judge_spans(unit.text, split(unit.text), evidence))
        for unit, evidence in with_evidence(units)
    ]
