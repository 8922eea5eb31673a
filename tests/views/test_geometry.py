"""In every place of the window, in several sizes, scales and looks, nothing is cut, covered or out of sight.

What somebody finds is printed with the place, the widget and the text. A picture of it:
`python -m tests.helpers.look_round --combination 4 --only NAME --pictures FOLDER`.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tests.helpers.look_round import COMBINATIONS, LIMIT_S, SHORT, Combination, look_round

VALUES = {
    "size_px": ((1024, 640), (1100, 700), (1600, 1000), (1920, 1080)),
    "scale": (1, 2),
    "text_percent": (100, 150),
    "dark": (False, True),
    "system_fonts": (False, True),
}
MOST = 12
TRIED = [
    pytest.param(one, id=one.name, marks=[] if at < SHORT else [pytest.mark.campaign])
    for at, one in enumerate(COMBINATIONS)
]


def test_every_pair_of_values_is_tried() -> None:
    assert len(COMBINATIONS) <= MOST
    for one, other in combinations(VALUES, 2):
        tried = {(getattr(each, one), getattr(each, other)) for each in COMBINATIONS}
        assert tried == set(product(VALUES[one], VALUES[other])), f"{one} and {other}"


@pytest.mark.timeout(LIMIT_S + 60)
@pytest.mark.parametrize("combination", TRIED)
def test_nothing_is_cut_covered_or_out_of_sight(combination: Combination) -> None:
    found = look_round(combination)
    assert [f"{one.place}: {one.what}: “{one.text}” in {one.path} at {one.box}" for one in found] == []
