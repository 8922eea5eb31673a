"""The graph of hand-offs in words: each edge, and a summary."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.engine.trace_grid import hand_off_words
from trace_inspector.engine.trace_grid.hand_offs import HandOff, HandOffs
from trace_inspector.engine.trace_grid.row import Relation
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.words import GUTTER


def agent(name: str) -> str:
    """An agent's name, or the text for an unnamed agent."""
    return hand_off_words.agent(name, tr)


def mark(edge: HandOff, *, is_stated: bool) -> str:
    """The sign of an edge; none where no edges were expected."""
    return GUTTER[edge.relation] if is_stated else ""


def times(edge: HandOff) -> str:
    """The count of an edge where it is not 1, by side where sides differ."""
    if len(edge.times) > 2:
        return "·".join(map(str, edge.times))
    if edge.relation is Relation.ARGUMENTS:
        return f"×{edge.times[0]} ≠ ×{edge.times[1]}"
    most = max(edge.times)
    return f"×{most}" if most > 1 else ""


def edge_words(edge: HandOff, titles: Sequence[str], *, is_stated: bool) -> str:
    """An edge in words: from, to, and the count on each side."""
    return hand_off_words.edge_words(edge, titles, is_stated=is_stated, tr=tr)


def summary(hand_offs: HandOffs) -> str:
    """How many edges are the same, missing and extra."""
    return hand_off_words.summary(hand_offs, tr)
