"""Whatever stands in arguments and names: it is bounded, told on one line, and can be written as JSON."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.many_runs import Made, attempt
from trace_inspector.core.values.values import Json
from trace_inspector.engine.braid.as_json import explanation_json
from trace_inspector.engine.braid.attempts import MOST_STEPS
from trace_inspector.engine.braid.features import MOST_FEATURES, features_of
from trace_inspector.engine.braid.findings import explain
from trace_inspector.engine.braid.words import conclusion, evidence, sentence, summary, words_on_tests

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
RUNS = st.lists(st.lists(st.tuples(st.text(max_size=5), st.dictionaries(st.text(max_size=4), VALUES)), max_size=4))


@given(RUNS)
@examples(60, 1_000)
def test_any_arguments_and_names(runs: list[Made]) -> None:
    attempts = [attempt(made, number % 2 == 0, f"run {number}") for number, made in enumerate(runs)]
    explanation = explain(attempts)
    json.dumps(explanation_json(explanation), allow_nan=False)
    told = [conclusion(explanation), summary(explanation), words_on_tests(explanation)]
    told += [words(finding) for finding in explanation.findings for words in (sentence, evidence)]
    assert all(line.isprintable() for line in told)


def test_deep_and_large_values_are_bounded() -> None:
    deep: Json = "x"
    for _level in range(200):
        deep = {"in": [deep]}
    wide: Json = {f"key {number}": number for number in range(5_000)}
    made: Made = [("call", {"deep": deep, "wide": wide, "huge": 10**400, "text": "y" * 100_000})]
    attempts = [attempt([*made, ("other", {"n": number})], number % 2 == 0, f"run {number}") for number in range(6)]
    explanation = explain(attempts)
    assert len(features_of(explanation.attempts, explanation.braid)[0]) <= MOST_FEATURES
    assert all(len(sentence(finding)) < 1_000 for finding in explanation.findings)


def test_a_run_that_never_ends_is_cut_and_says_so() -> None:
    endless = attempt([("call", {})] * (MOST_STEPS + 5), failed=True)
    assert len(endless.steps) == MOST_STEPS
    assert endless.cut


def test_hundreds_of_cases_with_repeats_are_tested_within_themselves() -> None:
    random = Random(5)
    attempts = []
    for case in range(300):
        for repeat in range(4):
            failed = random.random() < 0.5
            made: Made = [] if failed and random.random() < 0.9 else [("verify_address", {})]
            attempts.append(attempt([*made, ("pay", {})], failed, f"run {repeat}", f"case {case}"))
    named = explain(attempts).named
    assert sentence(named[0]).split(" failing runs ")[1].startswith("skip `verify_address`")
