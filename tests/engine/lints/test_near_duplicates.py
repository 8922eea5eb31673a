"""Near-duplicates are those that comparing each with each finds, however far apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Turn
from trace_inspector.engine.lints.lint import LintContext
from trace_inspector.engine.lints.near_duplicates import near_duplicates

WORDS = st.lists(st.sampled_from("abcdefgh"), max_size=14)


def suite(said: Sequence[str]) -> Suite:
    cases = tuple(
        Case(str(at), turns=(Turn(0, user=(Text(text),)),), place=f"/eval_cases/{at}") for at, text in enumerate(said)
    )
    return Suite("suite", cases=cases)


def found(said: Sequence[str]) -> list[str]:
    return [hint.sentence for hint in near_duplicates(suite(said), LintContext())]


@given(st.lists(WORDS, max_size=12))
def test_they_are_those_that_comparing_each_with_each_finds(said: list[list[str]]) -> None:
    counted, told = [Counter(words) for words in said], []
    for at, words in enumerate(counted):
        for other, known in enumerate(counted[:at]):
            if words and known and 2 * (words & known).total() / (words.total() + known.total()) >= 0.9:
                told.append(f"“{at}” asks and expects nearly the same as “{other}”.")
                break
    assert found([" ".join(words) for words in said]) == told


def test_a_twin_is_found_however_many_lie_between() -> None:
    said = [f"Where can {at} people park near stop {at}, and until when is it free?" for at in range(5_000)]
    assert found([*said, said[0]]) == ["“5000” asks and expects nearly the same as “0”."]
