"""CES's matching of calls and arguments as its documentation tells it, once more and plainly: by trying everything.

No client of CES has it. Nothing here is shared with our own matching but the description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

from tests.peers.inside.serving import serve


def judged(case: Any) -> Any:
    """What the metrics say of each golden turn."""
    made = [
        [entry["observedToolCall"] for entry in turn["expectationOutcome"] if "observedToolCall" in entry]
        for turn in case["result"]["goldenResult"]["turnReplayResults"]
    ]
    turns = case["golden"]["golden"]["turns"]
    return [judged_turn(turn, made[at] if at < len(made) else None) for at, turn in enumerate(turns)]


def judged_turn(turn: Any, made: Any) -> Any:
    stated = [step["expectation"] for step in turn["steps"] if "toolCall" in step.get("expectation", {})]
    wanted = [one["toolCall"] for one in stated if not one.get("skipEvaluation")]
    skipped = [one["toolCall"] for one in stated if one.get("skipEvaluation")]
    calls = made or []
    pairs = best(wanted, calls)
    left = [call for at, call in enumerate(calls) if at not in pairs.values()]
    extra = len(left) - len(best(skipped, left))
    scores = [likeness(wanted[at], calls[to]) for at, to in pairs.items()]
    return {
        "ces_tool_invocation": share(len(pairs), len(wanted)),
        "ces_tool_order": share(in_order(wanted, calls), len(wanted)),
        "ces_parameter_correctness": round(sum(scores) / len(scores), 9) if scores else None,
        "ces_extra_calls": None if made is None else share(len(calls) - extra, len(calls)) if calls else 1.0,
    }


def share(part: int, whole: int) -> float | None:
    return round(part / whole, 9) if whole else None


def tool(call: Any) -> str:
    """The last word of the tool's name, which is all that a short name has."""
    name = call["tool"] if "tool" in call else call["toolsetTool"]["toolId"]
    return str(name).rpartition("/")[2]


def pairings(lefts: int, rights: int) -> Iterator[dict[int, int]]:
    """Every way to put some of the one beside some of the other, the largest first."""
    for size in range(min(lefts, rights), -1, -1):
        for chosen in combinations(range(lefts), size):
            for partners in permutations(range(rights), size):
                yield dict(zip(chosen, partners, strict=True))


def best(wanted: Any, made: Any) -> dict[int, int]:
    """As many pairs of one tool as there can be; among those the most alike."""
    found: dict[int, int] = {}
    most = -1.0
    for pairs in pairings(len(wanted), len(made)):
        if len(pairs) < len(found):
            break
        if any(tool(wanted[at]) != tool(made[to]) for at, to in pairs.items()):
            continue
        alike = sum(likeness(wanted[at], made[to]) for at, to in pairs.items())
        if alike > most + 1e-9:
            found, most = pairs, alike
    return found


def in_order(wanted: Any, made: Any) -> int:
    """The longest choice of expected calls that stands in the same order among those made."""
    names = [tool(call) for call in made]
    for size in range(len(wanted), 0, -1):
        for chosen in combinations([tool(call) for call in wanted], size):
            rest = iter(names)
            if all(name in rest for name in chosen):
                return size
    return 0


def likeness(wanted: Any, made: Any) -> float:
    """The share of expected arguments that were given; 1 where none is expected."""
    expected, given = wanted.get("args") or {}, made.get("args") or {}
    if not expected:
        return 1.0
    return sum(holds(value, name in given, given.get(name)) for name, value in expected.items()) / len(expected)


def holds(wanted: Any, is_given: bool, given: Any) -> bool:
    kind = wanted.get("$matchType") if isinstance(wanted, dict) else None
    if kind is not None:
        wanted = wanted["value"] if "value" in wanted else wanted.get("$matchValue")
    if kind == "ignore":
        return True
    if kind == "contains":
        return isinstance(given, str) and wanted in given
    if kind == "regexp":
        return isinstance(given, str) and re.search(wanted, given) is not None
    return is_given and same(wanted, given)


def same(one: Any, other: Any) -> bool:
    """Equal, where every number is a double and a truth is no number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return float(one) == float(other)
    return bool(one == other)


if __name__ == "__main__":
    serve({"judge": judged})
