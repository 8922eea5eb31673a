"""How long two trajectories of calls, or the turns of two conversations, take to be aligned."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from benchmarks.measure import cpu_seconds, spread, table
from trace_inspector.core.alignment.step_alignment import Alignment, align_steps
from trace_inspector.core.alignment.turn_alignment import align_turns
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.steps import call_steps
from trace_inspector.core.trace.trace import Turn

RUNS = 5
_Sides = tuple[list[ToolCall], list[ToolCall]]


def main() -> None:
    """Likely trajectories, then the worst that a file can hold, then turns."""
    chance = random.Random(300)
    calls: list[tuple[str, _Sides]] = [
        ("300 × 300, 80 % equal", _changed(300, 0.2, chance)),
        ("300 × 300, 80 % equal, in another order", _shuffled(_changed(300, 0.2, chance), chance)),
        ("300 × 300, the same tools, no call equal", _changed(300, 1.0, chance)),
        ("300 × 300, nine calls over and over", (_few(300, chance), _few(300, chance))),
        ("10,000 × 10,000, 5 % changed, gone or new", _edited(_distinct(10_000), chance)),
        ("10,000 × 10,000, nine calls over and over, 5 % changed", _edited(_few(10_000, chance), chance)),
        ("10,000 × 10,000, two calls in turn, 5 % changed", _edited(_in_turn(10_000), chance)),
        ("10,000 × 10,000, nothing in common", (_distinct(10_000), _others(10_000))),
        ("10,000 × 10,000, in another order", _shuffled((_distinct(10_000), _distinct(10_000)), chance)),
        ("10,000 × 1", (_distinct(10_000), _others(1))),
        ("20 × 20, arguments of 1 MB", (_large(20, "a"), _large(20, "b"))),
    ]
    rows = [("calls", "CPU time", "the best one")]
    for title, (left, right) in calls:
        exact = _aligned(left, right).exact
        rows.append((title, _measured(partial(_aligned, left, right)), _yes(exact=exact)))
    table(f"Aligning calls, median of {RUNS}", rows)
    turns = [row for count in (1_000, 10_000) for row in _turns(count)]
    table(f"Aligning turns, median of {RUNS}", [("turns", "CPU time"), *turns])


def _aligned(left: list[ToolCall], right: list[ToolCall]) -> Alignment:
    return align_steps(call_steps(left, ()), call_steps(right, ()))


def _measured(work: Callable[[], object]) -> str:
    return spread([cpu_seconds(work) for _ in range(RUNS)], "ms")


def _yes(*, exact: bool) -> str:
    return "yes" if exact else "approximate, and said to be"


def _distinct(count: int) -> list[ToolCall]:
    return [ToolCall(f"tool{n % 7}", {"id": n, "query": f"find thing {n}", "limit": 5}) for n in range(count)]


def _others(count: int) -> list[ToolCall]:
    return [ToolCall(f"other{n % 7}", {"key": -n, "text": f"look for {n}", "top": 3}) for n in range(count)]


def _few(count: int, chance: random.Random) -> list[ToolCall]:
    return [ToolCall(chance.choice("fgh"), {"n": chance.randrange(3)}) for _ in range(count)]


def _in_turn(count: int) -> list[ToolCall]:
    return [ToolCall("fg"[n % 2], {}) for n in range(count)]


def _large(count: int, word: str) -> list[ToolCall]:
    return [ToolCall("f", {"text": f"{word} " * 250_000, "list": [n] * 250_000, "n": n}) for n in range(count)]


def _changed(count: int, share: float, chance: random.Random) -> _Sides:
    left = _distinct(count)
    return left, [_other(call) if chance.random() < share else call for call in left]


def _shuffled(sides: _Sides, chance: random.Random) -> _Sides:
    return sides[0], chance.sample(sides[1], len(sides[1]))


def _edited(left: list[ToolCall], chance: random.Random) -> _Sides:
    """One call in eighty gone, one in eighty behind a new one, one in forty with another argument."""
    right = []
    for call in left:
        lot = chance.random()
        if lot < 0.0125:
            continue
        if lot < 0.025:
            right.append(ToolCall("new", {"lot": lot}))
        right.append(_other(call) if 0.025 <= lot < 0.05 else call)
    return left, right


def _other(call: ToolCall) -> ToolCall:
    return ToolCall(call.name, {**(call.args if isinstance(call.args, dict) else {}), "limit": 6})


def _turns(count: int) -> list[tuple[str, str]]:
    golden = _asked(count, "")
    others = [
        ("the same questions", golden),
        ("one missing", golden[1:]),
        ("every question in other words", _asked(count, " please")),
        ("no question in common, three missing", _asked(count, " zz", "why was")[3:]),
        ("in another order", tuple(random.Random(1).sample(golden, count))),
    ]
    return [
        (f"2 × {count:,}, {title}", _measured(partial(align_turns, golden, observed))) for title, observed in others
    ]


def _asked(count: int, end: str, begin: str = "where is") -> tuple[Turn, ...]:
    return tuple(Turn(n, None, (Text(f"{begin} thing {n} of {n * 7 % 13}{end}?"),)) for n in range(count))


if __name__ == "__main__":
    main()
