"""Which trace belongs to which case: the evidence that counts, and the evidence that does not."""

from __future__ import annotations

from tests.engine.builders import case, trace, turn
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Trace
from trace_inspector.engine.pairing.pairing import Golden, Pairing, Recorded, pair


def paired(observed: Trace, *cases: Case) -> Pairing:
    """What one trace belongs to."""
    return pair([Recorded(observed)], [Golden(one) for one in cases])[0]


def test_a_case_id_means_nothing_in_another_suite() -> None:
    golden = case("c1", turn("rain today?"), suite="weather")
    assert paired(trace("c1", turn("sell my car"), suite="cars"), golden).golden is None
    assert paired(trace("c1", turn("sell my car"), suite="weather"), golden) == Pairing(0, "by case id")
    assert paired(trace("c1", turn("sell my car")), golden) == Pairing(0, "by case id")


def test_an_invocation_id_pairs_when_it_is_more_than_a_number() -> None:
    long_id, short_id = "e-1f03ac52", "turn-1"
    assert paired(trace("t", turn("x", turn_id=long_id)), case("c", turn("y", turn_id=long_id))).golden == 0
    assert paired(trace("t", turn("x", turn_id=short_id)), case("c", turn("y", turn_id=short_id))).golden is None


def test_an_invocation_id_that_several_cases_use_tells_nothing() -> None:
    same = "invocation-0001"
    goldens = case("a", turn("y", turn_id=same)), case("b", turn("z", turn_id=same))
    assert paired(trace("t", turn("x", turn_id=same)), *goldens).golden is None


def test_invocation_ids_that_only_count_tell_nothing() -> None:
    other = trace("t", turn("book it", turn_id="invocation-1"), turn("thanks", turn_id="invocation-2"))
    golden = case("c", turn("rain?", turn_id="invocation-1"), turn("snow?", turn_id="invocation-2"))
    assert paired(other, golden).golden is None
    asked = case("d", turn("book it", turn_id="invocation-1"))
    assert paired(other, golden, asked) == Pairing(1, "by user texts: 1 of 2 agree, not sure")
    named = [turn("x", turn_id=f"e-4af1c2/turn-{at}") for at in (1, 2)]
    assert paired(trace("t", *named), golden, case("e", *named)).how == "by invocation id"


def test_turns_without_words_do_not_agree() -> None:
    assert paired(trace("t", turn("")), case("c", turn(""))).golden is None


def test_the_case_that_asks_most_of_the_same_is_chosen_and_how_sure_is_said() -> None:
    goldens = case("a", turn("hello"), turn("cancel it")), case("b", turn("hello"), turn("book it"))
    assert paired(trace("t", turn("Hello!"), turn("book it")), *goldens) == Pairing(1, "by user texts: 2 of 2 agree")
    assert paired(trace("t", turn("book it")), *goldens) == Pairing(1, "by user texts: 1 of 2 agree, not sure")


def test_equal_ids_leave_the_choice_to_the_texts() -> None:
    goldens = case("c", turn("rain?"), suite="one"), case("c", turn("snow?"), suite="two")
    assert paired(trace("c", turn("snow?")), *goldens) == Pairing(1, "by case id and by user texts: 1 of 1 agree")
    undecided = paired(trace("c", turn("hail?")), *goldens)
    assert undecided.golden is None
    assert "one/c, two/c" in undecided.how


def test_a_trace_belongs_to_the_cases_of_its_own_file() -> None:
    asked = turn("rain?", turn_id="e-1f03ac52")
    goldens = [
        Golden(case("c", asked), "monday"),
        Golden(case("d", asked), "monday"),
        Golden(case("c", asked), "tuesday"),
    ]
    traces = [Recorded(trace("c", asked), path) for path in ("monday", "tuesday", "wednesday")]
    first, second, other = pair(traces, goldens)
    assert (first, second) == (Pairing(0, "by case id"), Pairing(2, "by case id"))
    assert other.golden is None
    stranger = pair([Recorded(trace("x", turn("snow?")), "tuesday")], goldens)[0]
    assert stranger == Pairing(None, "no case has this trace’s id, or the same messages of the user")
    (texts,) = pair([Recorded(trace("x", turn("rain?")), "tuesday")], goldens, "text")
    assert texts == Pairing(2, "by user texts: 1 of 1 agree")
