"""Who hands over to whom, in words: each edge, and all of them together. `tr` is as in `words`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from trace_inspector.engine.trace_grid.hand_offs import HandOff, HandOffs
from trace_inspector.engine.trace_grid.row import Relation
from trace_inspector.engine.trace_grid.words import Tr

_KINDS = {
    Relation.SAME: "the same",
    Relation.ARGUMENTS: "another number of times",
    Relation.MISSING: "missing",
    Relation.EXTRA: "extra",
    Relation.NEITHER: "only in the baseline",
}


def agent(name: str, tr: Tr = str) -> str:
    """An agent's name, or what stands for one that nobody names."""
    return name or tr("not named")


def edge_words(edge: HandOff, titles: Sequence[str], *, is_stated: bool, tr: Tr = str) -> str:
    """One edge: who, to whom, and how often on each side."""
    kind = f" {tr(_KINDS[edge.relation])}," if is_stated else ""
    sides = ", ".join(f"{tr(title).lower()} ×{count}" for title, count in zip(titles, edge.times, strict=False))
    return f"{agent(edge.source, tr)} → {agent(edge.target, tr)}:{kind} {sides}."


def summary(hand_offs: HandOffs, tr: Tr = str) -> str:
    """How many edges are the same, missing and extra."""
    if not hand_offs.is_stated:
        return tr("The golden does not say which it expects.")
    counts = Counter(edge.relation for edge in hand_offs.edges)
    if set(counts) == {Relation.SAME}:
        only = len(hand_offs.edges) + hand_offs.left_out == 1
        return tr("1, the same.") if only else tr("{0}, all the same.").format(len(hand_offs.edges))
    counted = ", ".join(f"{counts[kind]} {tr(words)}" for kind, words in _KINDS.items() if counts[kind])
    more = " " + tr("{0} more are left out.").format(f"{hand_offs.left_out:,}") if hand_offs.left_out else ""
    return f"{counted}.{more}"
