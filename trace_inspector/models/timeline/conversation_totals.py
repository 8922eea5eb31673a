"""Sums over all turns of a conversation: its time axis, its latencies, the order of starts."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from trace_inspector.core.rows.timing import Prompts, Work
from trace_inspector.models.timeline.axis import Axis, make_axis
from trace_inspector.models.timeline.figures import Values, values_of

KINDS = ("turn", "model", "tool")


class Sums(Struct, frozen=True):
    """Figures over all turns; `outside` is the head of the spans that belong to none."""

    values: Mapping[str, Values] = field(default_factory=lambda: {kind: Values() for kind in KINDS})
    prompts: Prompts = field(default_factory=Prompts)
    most_prompt: int = 0  # tokens
    pieces: int = 0
    untimed: int = 0  # pieces
    heads: Sequence[int] = ()  # turns with a time, in the order of their starts
    starts_s: Sequence[float] = ()  # their starts


def sums_of(works: Mapping[int, Work], outside: int) -> Sums:
    """One pass for each layout; columns with many values are added as a whole."""
    models, tools = array("d"), array("d")
    prompts, untimed = Prompts(), 0
    for work in works.values():
        models.extend(work.model_lengths_s)
        tools.extend(work.tool_lengths_s)
        prompts.extend(work.prompts)
        untimed += len(work) - work.timed
    turns = [(work.start_s, head, work.end_s - work.start_s) for head, work in works.items() if head != outside]
    timed = sorted(turn for turn in turns if not math.isnan(turn[0]))
    values = {
        "turn": values_of(length_s for _start_s, _head, length_s in timed),
        "model": values_of(models),
        "tool": values_of(tools),
    }
    most_prompt = max(prompts.tokens, default=0)
    heads, starts_s = [turn[1] for turn in timed], [turn[0] for turn in timed]
    pieces = sum(map(len, works.values()))
    return Sums(values, prompts.ordered(), most_prompt, pieces, untimed, heads, starts_s)


def clock_of(works: Mapping[int, Work], outside: int, *, fold: bool) -> Axis:
    """The axis folds long pauses between turns, even within a span around the whole conversation."""
    busy_s = [pair for head, work in works.items() if head != outside for pair in _pairs(work.busy_s)]
    around = works[outside].busy_s if outside in works else ()
    if busy_s and around:
        busy_s += [(edge_s, edge_s) for edge_s in (around[0], around[-1])]
    return make_axis(busy_s or _pairs(around), fold=fold)


def _pairs(times_s: Sequence[float]) -> list[tuple[float, float]]:
    return list(zip(times_s[::2], times_s[1::2], strict=True))
