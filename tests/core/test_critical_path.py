from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.rows.critical_path import HANDOVER_S, critical_path, slack_s

Pieces = list[tuple[float, float]]

# Pieces as drawn on paper, and the path through them as (piece, from, to), in a turn from 0 to 10.
DRAWN: dict[str, tuple[Pieces, list[tuple[int, float, float]]]] = {
    "nothing": ([], []),
    "one after the other": ([(0, 4), (4, 7), (7, 10)], [(0, 0, 4), (1, 4, 7), (2, 7, 10)]),
    "a pause between": ([(0, 3), (5, 10)], [(0, 0, 3), (1, 5, 10)]),
    "the longer of two tools": ([(0, 2), (2, 8), (2, 4), (8, 10)], [(0, 0, 2), (1, 2, 8), (3, 8, 10)]),
    "the same with the longer one last": ([(0, 2), (2, 4), (2, 8), (8, 10)], [(0, 0, 2), (2, 2, 8), (3, 8, 10)]),
    "one within another": ([(0, 10), (3, 5)], [(0, 0, 10)]),
    "handing over while it goes on": ([(0, 6), (4, 10)], [(0, 0, 4), (1, 4, 10)]),
    "what runs longest of several that run": ([(1, 7), (0, 6), (5, 10)], [(1, 0, 5), (2, 5, 10)]),
    "what ended just before, not what still runs": ([(0, 4), (3, 9), (4.005, 10)], [(0, 0, 4), (2, 4.005, 10)]),
    "of equal ends the earlier start": ([(3, 10), (1, 10)], [(1, 1, 10)]),
    "of equal pieces the first": ([(2, 10), (2, 10)], [(0, 2, 10)]),
    "cut at both ends of the turn": ([(-5, 3), (3, 20)], [(0, 0, 3), (1, 3, 10)]),
    "outside of the turn": ([(-5, -1), (11, 12), (2, 3)], [(2, 2, 3)]),
    "no length": ([(5, 5), (0, 4)], [(1, 0, 4)]),
    "ending before it began": ([(6, 2), (0, 4)], [(1, 0, 4)]),
}


@each("name", DRAWN)
def test_paths_as_drawn_by_hand(name: str) -> None:
    pieces, path = DRAWN[name]
    assert [(one.piece, one.start_s, one.end_s) for one in critical_path(pieces, 0, 10)] == path


def test_slack_is_how_long_a_piece_could_have_gone_on() -> None:
    pieces: Pieces = [(0, 2), (2, 8), (2, 4), (8, 10), (9, 9.5)]
    path = critical_path(pieces, 0, 10)
    assert slack_s(pieces, path) == [0, 0, 4, 0, 0.5]


def test_without_a_path_there_is_no_slack() -> None:
    assert slack_s([(5, 5)], ()) == [0]


TIMES = st.floats(-50, 150, allow_nan=False)
PIECES = st.lists(st.tuples(TIMES, TIMES), max_size=30)


@given(PIECES, st.floats(0, 100))
def test_the_path_is_no_longer_than_the_turn_and_never_goes_forth_and_back(pieces: Pieces, end_s: float) -> None:
    path = critical_path(pieces, 0.0, end_s)
    assert sum(one.end_s - one.start_s for one in path) <= end_s + 1e-9
    assert all(0 <= one.start_s < one.end_s <= end_s for one in path)
    assert all(before.end_s <= after.start_s for before, after in pairwise(path))
    for one in path:
        begin_s, stop_s = pieces[one.piece]
        assert begin_s <= one.start_s
        assert one.end_s <= stop_s


@given(PIECES, st.randoms(use_true_random=False))
def test_the_order_in_which_pieces_are_given_changes_nothing(pieces: Pieces, chance: random.Random) -> None:
    mixed = list(range(len(pieces)))
    chance.shuffle(mixed)
    one = critical_path(pieces, 0.0, 100.0)
    other = critical_path([pieces[at] for at in mixed], 0.0, 100.0)
    assert [(s.start_s, s.end_s) for s in one] == [(s.start_s, s.end_s) for s in other]


@given(PIECES)
def test_nothing_that_ran_is_passed_over(pieces: Pieces) -> None:
    """Between two stretches of the path, and before its first, nothing went on for longer than a handing over."""
    path = critical_path(pieces, 0.0, 100.0)
    stops = [0.0, *(one.end_s for one in path)]
    begins = [*(one.start_s for one in path), 100.0]
    for stop_s, begin_s in zip(stops, begins, strict=True):
        for piece_begin_s, piece_end_s in pieces:
            within = min(begin_s, piece_end_s) - max(stop_s, piece_begin_s)
            assert within <= HANDOVER_S + 1e-9 or piece_end_s <= piece_begin_s


@given(PIECES)
def test_slack_is_never_negative_and_none_on_the_path(pieces: Pieces) -> None:
    path = critical_path(pieces, 0.0, 100.0)
    slack = slack_s(pieces, path)
    assert len(slack) == len(pieces)
    assert all(value >= 0 for value in slack)
    assert all(slack[one.piece] == 0 for one in path)
