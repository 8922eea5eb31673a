"""A golden, a baseline and a candidate, and what a careful person would say of each two of them: a catalogue.

A conversation is turns parted by `|`: a letter for the question, a colon, the calls, and behind `/` the answer. A row
that differs is a sign with turn and call: `~` other arguments, `!` another tool, `^` moved, `-` missing, `+` extra;
`"` and the turn is another answer, `-t` and `+t` a turn missing or extra. Brackets stand around what does not count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.core.written_calls import calls
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.trace_diff.rows import DifferenceKind, DifferenceRow, rows_of
from trace_inspector.engine.trace_diff.rule import COMPARISONS, ComparisonRule, comparison_named
from trace_inspector.engine.trace_grid.comparison import SidePair
from trace_inspector.flows.runs.compare_files import compare

SIGNS = {
    DifferenceKind.ARGUMENTS: "~",
    DifferenceKind.RENAMED: "!",
    DifferenceKind.MOVED: "^",
    DifferenceKind.MISSING: "-",
    DifferenceKind.EXTRA: "+",
    DifferenceKind.ANSWER: '"',
    DifferenceKind.MISSING_TURN: "-t",
    DifferenceKind.EXTRA_TURN: "+t",
}


def written(path: Path, conversation: str) -> Path:
    """The conversation as an ADK eval set."""
    turns: list[Json] = [_turn(text.strip()) for text in conversation.split("|") if text.strip()]
    case: JsonObject = {"eval_id": "case", "conversation": turns}
    path.write_text(json.dumps({"eval_set_id": "s", "eval_cases": [case]}))
    return path


def _turn(text: str) -> JsonObject:
    asked, _, done = text.partition(":")
    made, slash, answer = done.partition("/")
    uses: list[Json] = [
        {"name": call.name, "args": call.args} for call in calls(made)[0] if isinstance(call.args, dict)
    ]
    said: JsonObject = {"final_response": {"parts": [{"text": answer.strip()}]}} if slash else {}
    return {
        "user_content": {"parts": [{"text": f"question {asked.strip() * 5}"}]},
        "intermediate_data": {"tool_uses": uses},
        **said,
    }


def drawn(side: SidePair, rule: ComparisonRule) -> str:
    """The rows of one pair of files that differ."""
    return " ".join(_row(row) for pair in side.pairs for row in rows_of(pair, rule))


def _row(row: DifferenceRow) -> str:
    place = f"{row.turn}" + (f".{row.call}" if row.call is not None else "")
    shown = f"{SIGNS[row.relation]}{place}"
    return shown if row.counts else f"({shown})"


class Story(NamedTuple):
    """One line: by which rule, three conversations, and rows and sentence of A–B, A–C and B–C."""

    rule: str
    golden: str
    baseline: str
    candidate: str
    told: tuple[tuple[str, str], tuple[str, str], tuple[str, str]]


STORIES = """
exact  p: a b  p: a b  p: a b
    .  2 of 2 calls match
    .  2 of 2 calls match
    .  2 of 2 calls match
exact  p: a b  p: a b  p: a
    .  2 of 2 calls match
    -1.2  1 of 2 calls match; 1 call missing; parts at turn 1, call 2
    -1.2  1 of 2 calls match; 1 call missing; parts at turn 1, call 2
exact  p: a b  p: a  p: a b
    -1.2  1 of 2 calls match; 1 call missing; parts at turn 1, call 2
    .  2 of 2 calls match
    +1.2  1 of 1 calls match; 1 extra call; parts at turn 1, call 2
exact  p: a b  p: a  p: a
    -1.2  1 of 2 calls match; 1 call missing; parts at turn 1, call 2
    -1.2  1 of 2 calls match; 1 call missing; parts at turn 1, call 2
    .  1 of 1 calls match
exact  p: a b  p: a  p: b
    -1.2  1 of 2 calls match; 1 call missing; parts at turn 1, call 2
    -1.1  1 of 2 calls match; 1 call missing; parts at turn 1, call 1
    -1.1 +1.1  0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
exact  p: a1  p: a2  p: a1
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
    .  1 of 1 calls match
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
exact  p: a1  p: a1  p: a2
    .  1 of 1 calls match
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
exact  p: a1  p: a2  p: a2
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
    .  1 of 1 calls match
exact  p: a1  p: a2  p: a3
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
    ~1.1  0 of 1 calls match; 1 argument differs; parts at turn 1, call 1
exact  p: a1 b  p: a1  p: a2 b
    -1.2  1 of 2 calls match; 1 call missing; parts at turn 1, call 2
    ~1.1  1 of 2 calls match; 1 argument differs; parts at turn 1, call 1
    ~1.1 +1.2  0 of 1 calls match; 1 argument differs; 1 extra call; parts at turn 1, call 1
exact  p: a12  p: b12  p: a12
    !1.1  0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
    .  1 of 1 calls match
    !1.1  0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
exact  p: a12  p: b12  p: c12
    !1.1  0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
    !1.1  0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
    !1.1  0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
exact  p: a b  p: a b x  p: a b
    +1.3  2 of 2 calls match; 1 extra call; parts at turn 1, call 3
    .  2 of 2 calls match
    -1.3  2 of 3 calls match; 1 call missing; parts at turn 1, call 3
exact  p: a b  p: a x b  p: a y b
    +1.2  2 of 2 calls match; 1 extra call; parts at turn 1, call 2
    +1.2  2 of 2 calls match; 1 extra call; parts at turn 1, call 2
    -1.2 +1.2  2 of 3 calls match; 1 call missing; 1 extra call; parts at turn 1, call 2
exact  p: a b  p: a b x  p: a b x
    +1.3  2 of 2 calls match; 1 extra call; parts at turn 1, call 3
    +1.3  2 of 2 calls match; 1 extra call; parts at turn 1, call 3
    .  3 of 3 calls match
exact  p: a b c  p: b c a  p: a b c
    ^1.1  3 of 3 calls match; 1 moved; parts at turn 1, call 1
    .  3 of 3 calls match
    ^1.3  3 of 3 calls match; 1 moved; parts at turn 1, call 1
exact  p: a b c  p: b c a  p: c a b
    ^1.1  3 of 3 calls match; 1 moved; parts at turn 1, call 1
    ^1.3  3 of 3 calls match; 1 moved; parts at turn 1, call 1
    ^1.1  3 of 3 calls match; 1 moved; parts at turn 1, call 1
exact  p: a b c  p: a b c  p: a c b
    .  3 of 3 calls match
    ^1.2  3 of 3 calls match; 1 moved; parts at turn 1, call 2
    ^1.2  3 of 3 calls match; 1 moved; parts at turn 1, call 2
exact  p: a /yes  p: a /yes  p: a /no
    .  1 of 1 calls match
    "1  1 of 1 calls match; 1 answer differs; parts at turn 1
    "1  1 of 1 calls match; 1 answer differs; parts at turn 1
exact  p: a /yes  p: a /no  p: a /yes
    "1  1 of 1 calls match; 1 answer differs; parts at turn 1
    .  1 of 1 calls match
    "1  1 of 1 calls match; 1 answer differs; parts at turn 1
exact  p: a /yes  p: a /no  p: a /never
    "1  1 of 1 calls match; 1 answer differs; parts at turn 1
    "1  1 of 1 calls match; 1 answer differs; parts at turn 1
    "1  1 of 1 calls match; 1 answer differs; parts at turn 1
exact  p: a  p: a /no  p: a /never
    .  1 of 1 calls match
    .  1 of 1 calls match
    "1  1 of 1 calls match; 1 answer differs; parts at turn 1
exact  p: a | q: b  p: a | q: b  p: a
    .  2 of 2 calls match
    -t2  1 of 2 calls match; 1 turn missing; parts at turn 2
    -t2  1 of 2 calls match; 1 turn missing; parts at turn 2
exact  p: a | q: b  p: a  p: a | q: b
    -t2  1 of 2 calls match; 1 turn missing; parts at turn 2
    .  2 of 2 calls match
    +t2  1 of 1 calls match; 1 extra turn; parts at turn 2
exact  p: a | q: b  p: a  q: b
    -t2  1 of 2 calls match; 1 turn missing; parts at turn 2
    -t1  1 of 2 calls match; 1 turn missing; parts at turn 1
    -1.1 +1.1  0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
exact  p: a | q: b  p: a | r: c | q: b  p: a | q: b
    +t2  2 of 2 calls match; 1 extra turn; parts at turn 2
    .  2 of 2 calls match
    -t2  2 of 3 calls match; 1 turn missing; parts at turn 2
exact  p: a | q: b  p: a | r: c | q: b  p: a | r: d | q: b
    +t2  2 of 2 calls match; 1 extra turn; parts at turn 2
    +t2  2 of 2 calls match; 1 extra turn; parts at turn 2
    -2.1 +2.1  2 of 3 calls match; 1 call missing; 1 extra call; parts at turn 2, call 1
exact  p: a | q: b1 c /ok  p: a | q: b2 c /ok  p: a x | q: b1 c /no
    ~2.1  2 of 3 calls match; 1 argument differs; parts at turn 2, call 1
    +1.2 "2  3 of 3 calls match; 1 extra call; 1 answer differs; parts at turn 1, call 2
    +1.2 ~2.1 "2  2 of 3 calls match; 1 argument differs; 1 extra call; 1 answer differs; parts at turn 1, call 2
exact  -  p: a  p: b
    +t1  0 of 0 calls match; 1 extra turn; parts at turn 1
    +t1  0 of 0 calls match; 1 extra turn; parts at turn 1
    -1.1 +1.1  0 of 1 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
in-order  p: a b  p: a x b  p: b a
    (+1.2)  2 of 2 calls match; 1 extra call
    ^1.1  2 of 2 calls match; 1 moved; parts at turn 1, call 1
    ^1.1 -1.2  2 of 3 calls match; 1 call missing; 1 moved; parts at turn 1, call 1
in-order  p: a b  p: x a y b z  p: a b
    (+1.1) (+1.3) (+1.5)  2 of 2 calls match; 3 extra calls
    .  2 of 2 calls match
    -1.1 -1.3 -1.5  2 of 5 calls match; 3 calls missing; parts at turn 1, call 1
any-order  p: a b c  p: c x b a  p: a b
    (^1.1) (^1.2) (+1.2)  3 of 3 calls match; 1 extra call; 2 moved
    -1.3  2 of 3 calls match; 1 call missing; parts at turn 1, call 3
    -1.1 -1.2 (^1.3)  2 of 4 calls match; 2 calls missing; 1 moved; parts at turn 1, call 1
any-order  p: a1  p: x a1  p: a2 x
    (+1.1)  1 of 1 calls match; 1 extra call
    ~1.1 (+1.2)  0 of 1 calls match; 1 argument differs; 1 extra call; parts at turn 1, call 1
    (+1.1) -1.2  1 of 2 calls match; 1 call missing; 1 extra call; parts at turn 1, call 2
partial  p: a1 b  p: b a1 x  p: b
    (^1.1) (+1.3)  2 of 2 calls match; 1 extra call; 1 moved
    -1.1  1 of 2 calls match; 1 call missing; parts at turn 1, call 1
    -1.2 -1.3  1 of 3 calls match; 2 calls missing; parts at turn 1, call 2
ces  p: a b  p: b a  p: a b x
    (^1.1)  2 of 2 calls match; 1 moved
    +1.3  2 of 2 calls match; 1 extra call; parts at turn 1, call 3
    (^1.1) +1.3  2 of 2 calls match; 1 extra call; 1 moved; parts at turn 1, call 3
ces  p: a1 b  p: b a12  p: b a2
    (^1.1)  2 of 2 calls match; 1 moved
    -1.1 +1.2  1 of 2 calls match; 1 call missing; 1 extra call; parts at turn 1, call 1
    ~1.2  1 of 2 calls match; 2 arguments differ; parts at turn 1, call 2
"""


def stories(text: str) -> Iterator[Story]:
    """Four lines each: the rule and three conversations, then rows and sentence of each two; two spaces between."""
    lines = [re.split("  +", line.strip()) for line in text.strip().splitlines()]
    for at in range(0, len(lines), 4):
        rule, golden, baseline, candidate = lines[at]
        told = [("" if rows == "." else rows, said) for rows, said in lines[at + 1 : at + 4]]
        yield Story(rule, "" if golden == "-" else golden, baseline, candidate, (told[0], told[1], told[2]))


CATALOGUE = list(stories(STORIES))


@pytest.mark.parametrize("story", CATALOGUE, ids=lambda story: " / ".join(story[:4]))
def test_three_ways(story: Story, tmp_path: Path) -> None:
    rule = comparison_named(story.rule)
    sides = story.golden, story.baseline, story.candidate
    paths = [written(tmp_path / f"{letter}.json", side) for letter, side in zip("abc", sides, strict=True)]
    found = compare(paths, rule)
    assert [side.label for side in found.sides] == ["A–B", "A–C", "B–C"]
    assert [(side.left_path, side.right_path) for side in found.sides] == list(combinations(map(str, paths), 2))
    told = [(drawn(side, rule), side.sentence) for side in found.sides]
    assert told == [
        (rows, f"{side.label}: {said}") for side, (rows, said) in zip(found.sides, story.told, strict=True)
    ]
    assert found.differs is any("parts at" in said for _rows, said in story.told)


def test_a_difference_from_the_golden_is_shared_or_of_one_side_alone() -> None:
    """Where both differ from the golden in the same way they are alike, and the other way round."""
    for story in CATALOGUE:
        (to_baseline, _), (to_candidate, _), (between, _) = story.told
        if story.baseline == story.candidate:
            assert (to_baseline, between) == (to_candidate, "")
        if story.golden == story.baseline:
            assert (to_baseline, to_candidate) == ("", between)


def test_there_are_enough() -> None:
    assert len(CATALOGUE) >= 25
    assert {rule.name for rule in COMPARISONS} == {story.rule for story in CATALOGUE}
