from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.models.conversation.heights import Heights

whole_px = st.integers(0, 2_000).map(float)


@given(st.lists(whole_px, min_size=1, max_size=900), st.data())
def test_places_are_what_adding_up_gives(given_px: list[float], data: st.DataObject) -> None:
    heights = Heights(len(given_px), 7)
    for at, height in enumerate(given_px):
        heights[at] = height
    at = data.draw(st.integers(0, len(given_px) - 1))
    assert heights.total_px == sum(given_px)
    assert heights.top_px(at) == sum(given_px[:at])
    place = data.draw(st.integers(0, max(0, int(sum(given_px)) - 1)))
    found = heights.index_at(place)
    assert sum(given_px[:found]) <= place
    assert sum(given_px[: found + 1]) > place or found == len(given_px) - 1


@given(st.lists(whole_px, max_size=600), st.lists(whole_px, max_size=600), st.data())
def test_some_are_replaced_by_others(given_px: list[float], others_px: list[float], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(given_px)))
    end = data.draw(st.integers(first, len(given_px)))
    heights = Heights()
    heights.replace(0, 0, given_px)
    heights.replace(first, end, others_px)
    expected = [*given_px[:first], *others_px, *given_px[end:]]
    heights.extend(3, 5.0)
    expected += [5.0] * 3
    assert [heights[at] for at in range(len(heights))] == expected
    assert [heights.top_px(at) for at in range(0, len(expected), 17)] == [
        sum(expected[:at]) for at in range(0, len(expected), 17)
    ]


def test_places_outside_are_the_first_and_the_last() -> None:
    heights = Heights(600, 10)
    assert heights.index_at(-5) == 0
    assert heights.index_at(6_000) == heights.index_at(1e9) == 599
    assert heights.index_at(5_999) == 599
    assert heights.index_at(10) == 1
