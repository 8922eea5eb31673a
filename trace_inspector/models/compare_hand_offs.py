"""What the graph of hand-offs says in words: each edge, and all of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from trace_inspector.engine.side_by_side.hand_offs import HandOff, HandOffs
from trace_inspector.engine.side_by_side.row import Relation
from trace_inspector.models.compare_words import GUTTER

_KINDS = {
    Relation.SAME: "the same",
    Relation.ARGUMENTS: "another number of times",
    Relation.MISSING: "missing",
    Relation.EXTRA: "extra",
    Relation.NEITHER: "only in the baseline",
}


def agent(name: str) -> str:
    """An agent's name, or what stands for one that nobody names."""
    return name or _tr("not named")


def mark(edge: HandOff, *, is_stated: bool) -> str:
    """The sign of an edge; none where nothing was expected that it could differ from."""
    return GUTTER[edge.relation] if is_stated else ""


def times(edge: HandOff) -> str:
    """How often, where that is not once: by side where sides differ."""
    if len(edge.times) > 2:
        return "·".join(map(str, edge.times))
    if edge.relation is Relation.ARGUMENTS:
        return f"×{edge.times[0]} ≠ ×{edge.times[1]}"
    most = max(edge.times)
    return f"×{most}" if most > 1 else ""


def edge_words(edge: HandOff, titles: Sequence[str], *, is_stated: bool) -> str:
    """One edge: who, to whom, and how often on each side."""
    kind = f" {_tr(_KINDS[edge.relation])}," if is_stated else ""
    sides = ", ".join(f"{_tr(title).lower()} ×{count}" for title, count in zip(titles, edge.times, strict=False))
    return f"{agent(edge.source)} → {agent(edge.target)}:{kind} {sides}."


def summary(found: HandOffs) -> str:
    """How many edges are the same, missing and extra."""
    if not found.is_stated:
        return _tr("The golden does not say which it expects.")
    counts = Counter(edge.relation for edge in found.edges)
    if set(counts) == {Relation.SAME}:
        only = len(found.edges) + found.left_out == 1
        return _tr("1, the same.") if only else _tr("{0}, all the same.").format(len(found.edges))
    told = ", ".join(f"{counts[kind]} {_tr(words)}" for kind, words in _KINDS.items() if counts[kind])
    more = " " + _tr("{0} more are left out.").format(f"{found.left_out:,}") if found.left_out else ""
    return f"{told}.{more}"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)
