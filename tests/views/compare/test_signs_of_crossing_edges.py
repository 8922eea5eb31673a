"""Where edges cross, a sign stands on another part of its edge rather than over another sign."""

from __future__ import annotations

import itertools

from trace_inspector.engine.trace_grid.hand_offs import HandOff
from trace_inspector.views.compare.hand_off_layout import graph, sign_box

SIGN_PX = 40.0


def test_signs_of_edges_that_cross_make_way_for_each_other() -> None:
    edges = [HandOff(way[0], way[1], (1, 2), (0, 0)) for way in ("ac", "ad", "bc", "bd")]
    found = graph(edges, lambda _name: 60.0, lambda _edge: SIGN_PX, 24.0, 220.0)
    signs = [sign_box(one.label, SIGN_PX) for one in found.edges]
    assert not any(one.intersects(other) for one, other in itertools.combinations(signs, 2))
    assert not any(sign.intersects(box) for sign in signs for box in found.boxes.values())
    places = {(round(sign.center().x()), round(sign.center().y())) for sign in signs}
    assert len(places) == len(edges)
