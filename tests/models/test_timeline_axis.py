"""The clock: what is folded, where moments stand, and that going near and back changes nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.models.timeline.axis import (
    FOLD_PX,
    GREATEST_PX,
    Axis,
    Scale,
    fit,
    make_axis,
    tick_step_s,
    tick_text,
)

THREE_TURNS = [(100.0, 105.0), (121.3, 130.4), (147.9, 150.3)]


def test_long_pauses_fold_and_carry_their_true_length() -> None:
    axis = make_axis(THREE_TURNS, fold=True)
    assert axis.folds == 2
    assert axis.drawn_s == pytest.approx(5 + 9.1 + 2.4)
    assert axis.idle_s == pytest.approx(16.3 + 17.5)
    near = fit(axis, 1000).zoomed(4, 0)
    left, width, idle_s = near.moved_to(near.x(105) - 50).folds()[0]
    assert left == pytest.approx(50)
    assert width == FOLD_PX
    assert idle_s == pytest.approx(16.3)


def test_unfolded_everything_is_to_scale() -> None:
    axis = make_axis(THREE_TURNS, fold=False)
    assert (axis.folds, axis.idle_s) == (0, 0)
    assert axis.drawn_s == pytest.approx(50.3)


@pytest.mark.parametrize(("pause_s", "folds"), [(1.9, 0), (2.1, 1)])
def test_short_pauses_stay(pause_s: float, folds: int) -> None:
    assert make_axis([(0.0, 1.0), (1 + pause_s, 4.0)], fold=True).folds == folds


def test_a_pause_that_is_short_beside_the_work_stays() -> None:
    assert make_axis([(0.0, 600.0), (610.0, 1200.0)], fold=True).folds == 0


def test_nothing_and_a_single_moment_have_a_clock() -> None:
    assert make_axis([], fold=True) == Axis()
    assert make_axis([(5.0, 5.0)], fold=True).drawn_s > 0
    moments = make_axis([(5.0, 5.0), (9_000.0, 9_000.0)], fold=True)
    assert moments.drawn_s > 0
    assert fit(moments, 800).total_px == pytest.approx(800)


def test_very_many_folds_leave_room_for_the_work() -> None:
    axis = make_axis([(100.0 * at, 100.0 * at + 1) for at in range(500)], fold=True)
    whole = fit(axis, 1000)
    assert whole.total_px == pytest.approx(1000)
    assert whole.px_per_s * axis.drawn_s >= 0.69 * 1000
    assert whole.zoomed(1e6, 0).fold_px == FOLD_PX


def test_from_1970_to_9999_pixels_stay_exact() -> None:
    axis = make_axis([(0.0, 1.0), (2.5e11, 2.5e11 + 1)], fold=False)
    near = fit(axis, 1000).zoomed(1e30, 500)
    assert near.total_px <= GREATEST_PX * 1.001
    assert near.x(near.time_s(500)) == pytest.approx(500, abs=1)


TIMES = st.floats(0, 1e6)
BUSY = st.lists(st.tuples(TIMES, st.floats(0.001, 100)).map(lambda one: (one[0], one[0] + one[1])), min_size=1)


@st.composite
def scales(draw: st.DrawFn) -> Scale:
    axis = make_axis(draw(BUSY), fold=draw(st.booleans()))
    scale = fit(axis, draw(st.floats(50, 4000)))
    return scale.zoomed(draw(st.floats(0.1, 1000)), draw(st.floats(0, 50))).moved_to(draw(st.floats(0, 1e5)))


@examples(40, 1000)
@given(scales(), st.lists(st.floats(0, 1e6), min_size=2))
def test_later_never_stands_left_of_earlier(scale: Scale, times_s: list[float]) -> None:
    places = [scale.x(time_s) for time_s in sorted(times_s)]
    assert all(one <= other + 1e-6 for one, other in pairwise(places))


@given(scales(), st.floats(0, 1))
def test_each_pixel_of_the_view_has_its_moment(scale: Scale, share: float) -> None:
    x = share * scale.width_px
    assume(x + scale.left_px <= scale.total_px)
    assert scale.x(scale.time_s(x)) == pytest.approx(x, abs=0.01)


@examples(40, 1000)
@given(scales(), st.floats(0.2, 5), st.floats(0, 1))
def test_what_is_under_the_mouse_stays_there_unless_the_clock_ends(scale: Scale, factor: float, share: float) -> None:
    x = share * scale.width_px
    moment_s = scale.time_s(x)
    after = scale.zoomed(factor, x)
    assert 0 <= after.left_px <= max(0.0, after.total_px - after.width_px) + 1e-6
    if 0 < after.left_px < after.total_px - after.width_px - 1e-6:
        assert after.x(moment_s) == pytest.approx(x, abs=0.05)


@given(scales())
def test_never_farther_than_the_whole(scale: Scale) -> None:
    assert scale.total_px >= scale.width_px * (1 - 1e-9)
    assert scale.fitted().total_px == pytest.approx(scale.width_px)


def test_showing_a_turn_leaves_a_margin_on_both_sides() -> None:
    scale = fit(make_axis(THREE_TURNS, fold=True), 900).showing(121.3, 130.4)
    assert scale.x(121.3) == pytest.approx(24)
    assert scale.x(130.4) == pytest.approx(876)


def test_another_width_keeps_the_whole_whole_and_the_near_near() -> None:
    whole = fit(make_axis(THREE_TURNS, fold=True), 900)
    assert whole.with_width(500).total_px == pytest.approx(500)
    near = whole.showing(121.3, 130.4)
    assert near.with_width(500).px_per_s == near.px_per_s
    assert near.with_width(500).x(121.3) == pytest.approx(24)


def test_a_clock_that_grew_shows_the_same_part() -> None:
    before = fit(make_axis(THREE_TURNS, fold=True), 900).showing(121.3, 130.4)
    after = before.on(make_axis([*THREE_TURNS, (300.0, 305.0)], fold=True))
    assert after.px_per_s == pytest.approx(before.px_per_s)
    assert after.x(125.0) == pytest.approx(before.x(125.0))
    whole = fit(make_axis(THREE_TURNS, fold=True), 900)
    assert whole.on(make_axis([*THREE_TURNS, (300.0, 305.0)], fold=True)).total_px == pytest.approx(900)


STEPS = {
    1e-4: 864_000.0, 5e-4: 172_800.0, 1e-3: 86_400.0, 0.01: 7_200.0, 0.5: 300.0, 2.0: 60.0, 30.0: 5.0, 100.0: 1.0,
    1000.0: 0.1, 1e6: 1e-4,
}  # fmt: skip


@each("px_per_s", STEPS)
def test_steps_between_ticks(px_per_s: float) -> None:
    assert tick_step_s(px_per_s, 72) == pytest.approx(STEPS[px_per_s])


@given(st.floats(1e-9, 1e7))
def test_ticks_are_never_closer_than_asked_for(px_per_s: float) -> None:
    assert tick_step_s(px_per_s, 72) * px_per_s >= 72 * (1 - 1e-9)


@each(
    ("seconds", "step_s", "text"),
    [
        (3.0, 1.0, "3 s"),
        (0.5, 0.5, "0.5 s"),
        (1.25, 0.05, "1.25 s"),
        (120.0, 60.0, "2 min"),
        (7200.0, 3600.0, "2 h"),
        (172_800.0, 86_400.0, "2 d"),
        (0.0005, 0.0001, "0.5 ms"),
        (0.00002, 0.00001, "0.02 ms"),
    ],
)
def test_what_ticks_say(seconds: float, step_s: float, text: str) -> None:
    assert tick_text(seconds, step_s) == text
