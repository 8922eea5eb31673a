"""Golden, baseline and candidate on common rows: a catalogue of what may happen, and who stands alone in it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.engine.trace_grid.compare import side_by_side
from trace_inspector.engine.trace_grid.row import Row, RowKind, Value

Given = tuple[str, dict[str, Json]]


def a(**args: Json) -> Given:
    return "a", args


B: Given = ("b", {"y": 2})
C: Given = ("c", {"z": 3})
MILK: Json = {"id": "milk", "n": 1}
TEA: Json = {"id": "tea", "n": 2}
HAM: Json = {"id": "ham", "n": 3}

# What happened: the calls of golden, baseline and candidate, and the rows. A row is how baseline and candidate relate
# to the golden, how they relate to each other, and each argument as the three have it, who stands alone before it.
CATALOGUE: dict[str, tuple[list[Given], list[Given], list[Given], list[str]]] = {
    "all agree": ([a(x=1), B], [a(x=1), B], [a(x=1), B], ["SAME SAME | SAME", "SAME SAME | SAME"]),
    "nobody calls": ([], [], [], []),
    "candidate changed": (
        [a(x=1)], [a(x=1)], [a(x=9)],
        ["SAME ARGUMENTS | ARGUMENTS: candidate x 1 1 9"],
    ),
    "baseline differed": (
        [a(x=1)], [a(x=9)], [a(x=1)],
        ["ARGUMENTS SAME | ARGUMENTS: baseline x 1 9 1"],
    ),
    "golden alone": (
        [a(x=1)], [a(x=9)], [a(x=9)],
        ["ARGUMENTS ARGUMENTS | SAME: golden x 1 9 9"],
    ),
    "all three differ": (
        [a(x=1)], [a(x=2)], [a(x=3)],
        ["ARGUMENTS ARGUMENTS | ARGUMENTS: nobody x 1 2 3"],
    ),
    "each argument has its own": (
        [a(x=1, y=1, z=1)], [a(x=1, y=5, z=7)], [a(x=9, y=1, z=7)],
        ["ARGUMENTS ARGUMENTS | ARGUMENTS: candidate x 1 1 9, baseline y 1 5 1, golden z 1 7 7"],
    ),
    "deep in an object": (
        [a(to={"city": "Rome", "zone": 1})], [a(to={"city": "Rome", "zone": 2})], [a(to={"city": "Oslo", "zone": 1})],
        ['ARGUMENTS ARGUMENTS | ARGUMENTS: candidate to.city "Rome" "Rome" "Oslo", baseline to.zone 1 2 1'],
    ),
    "an argument more": (
        [a(x=1)], [a(x=1)], [a(x=1, w=0)],
        ["SAME ARGUMENTS | ARGUMENTS: candidate w - - 0"],
    ),
    "both runs have one more": (
        [a(x=1)], [a(x=1, w=0)], [a(x=1, w=0)],
        ["ARGUMENTS ARGUMENTS | SAME: golden w - 0 0"],
    ),
    "each run has another one more": (
        [a(x=1)], [a(x=1, v=5)], [a(x=1, w=0)],
        ["ARGUMENTS ARGUMENTS | ARGUMENTS: baseline v - 5 -, candidate w - - 0"],
    ),
    "an argument less": (
        [a(x=1, w=0)], [a(x=1, w=0)], [a(x=1)],
        ["SAME ARGUMENTS | ARGUMENTS: candidate w 0 0 -"],
    ),
    "an object that is a text on one side": (
        [a(f={"k": 1})], [a(f="k")], [a(f={"k": 2})],
        ['ARGUMENTS ARGUMENTS | ARGUMENTS: nobody f {"k": 1} "k" {"k": 2}'],
    ),
    "an object that one side does not have": (
        [a(f={"k": 1, "l": 1})], [a()], [a(f={"k": 2, "l": 1})],
        ['ARGUMENTS ARGUMENTS | ARGUMENTS: nobody f {"k": 1, "l": 1} - {"k": 2, "l": 1}'],
    ),
    "a type": ([a(x=1)], [a(x=1)], [a(x="1")], ['SAME ARGUMENTS | ARGUMENTS: candidate x 1 1 "1"']),
    "items by their key, moved": (
        [a(items=[MILK, TEA])], [a(items=[TEA, MILK])], [a(items=[{"id": "tea", "n": 9}, MILK])],
        [
            (
                'ARGUMENTS ARGUMENTS | ARGUMENTS: candidate items[1].n 2 2 9 at 1 0 0, '
                'nobody items [{"id": "milk", …}, {"id": "tea", …}] '
                '[{"id": "tea", …}, {"id": "milk", …}] [{"id": "tea", …}, {"id": "milk", …}]'
            )
        ],
    ),
    "an item that both runs add at other places": (
        [a(items=[MILK, TEA])], [a(items=[MILK, TEA, HAM])], [a(items=[HAM, MILK, TEA])],
        ['ARGUMENTS ARGUMENTS | ARGUMENTS: golden items[2] - {"id": "ham", "n": 3} {"id": "ham", "n": 3} at 2 2 0'],
    ),
    "an item that the candidate dropped": (
        [a(items=["p", "q", "r"])], [a(items=["p", "q", "r"])], [a(items=["p", "r"])],
        ['SAME ARGUMENTS | ARGUMENTS: candidate items[1] "q" "q" -'],
    ),
    "an item that each run has otherwise": (
        [a(items=["p", "q", "r"])], [a(items=["p", "s", "r"])], [a(items=["p", "t", "r"])],
        ['ARGUMENTS ARGUMENTS | ARGUMENTS: nobody items[1] "q" "s" "t"'],
    ),
    "lists of plain values that are all others": (
        [a(items=[1, 2])], [a(items=[1, 3])], [a(items=[8, 9])],
        ["ARGUMENTS ARGUMENTS | ARGUMENTS: nobody items [1, 2] [1, 3] [8, 9]"],
    ),
    "candidate dropped it": ([a(), B], [a(), B], [a()], ["SAME SAME | SAME", "SAME MISSING | MISSING"]),
    "baseline had dropped it": ([a(), B], [a()], [a(), B], ["SAME SAME | SAME", "MISSING SAME | EXTRA"]),
    "both runs dropped it": ([a(), B], [a()], [a()], ["SAME SAME | SAME", "MISSING MISSING | NEITHER"]),
    "candidate added it": ([a()], [a()], [a(), B], ["SAME SAME | SAME", "NEITHER EXTRA | EXTRA"]),
    "baseline had added it": ([a()], [a(), B], [a()], ["SAME SAME | SAME", "EXTRA NEITHER | MISSING"]),
    "both runs added it": ([a()], [a(), B], [a(), B], ["SAME SAME | SAME", "EXTRA EXTRA | SAME"]),
    "both runs added it, with other arguments": (
        [a()], [a(), B], [a(), ("b", {"y": 5})],
        ["SAME SAME | SAME", "EXTRA EXTRA | ARGUMENTS: nobody y . 2 5"],
    ),
    "each run added another": (
        [a()], [a(), B], [a(), C],
        ["SAME SAME | SAME", "EXTRA NEITHER | MISSING", "NEITHER EXTRA | EXTRA"],
    ),
    "candidate moved it": (
        [a(), B, C], [a(), B, C], [B, C, a()],
        ["SAME MOVED | MOVED", "SAME SAME | SAME", "SAME SAME | SAME"],
    ),
    "a different tool was called instead": (
        [a(x=1)], [a(x=1)], [("q", {"x": 1})],
        ["SAME RENAMED | RENAMED"],
    ),
    "a baseline without the call does not hide what the candidate changed": (
        [a(x=1)], [], [a(x=9)],
        ["MISSING ARGUMENTS | EXTRA: nobody x 1 . 9"],
    ),
}  # fmt: skip


def case(*calls: Given, matchers: Sequence[Matcher] = ()) -> Case:
    events = tuple(Event("agent", (ToolCall(name, args, place=f"/0/{at}"),)) for at, (name, args) in enumerate(calls))
    turn = Turn(0, user=(Text("How is it?"),), events=events, final_response=(Text("Fine."),), steps=Steps.EVENTS)
    return Case("c", turns=(turn,), matchers=tuple(matchers))


def told(row: Row) -> str:
    links = f"{row.from_first[0].name} {row.from_first[1].name} | {row.links[1].name}"
    return f"{links}: {', '.join(_argument(row, value) for value in row.values)}" if row.values else links


def _argument(row: Row, value: Value) -> str:
    who = ("golden", "baseline", "candidate", "nobody")[value.alone]
    texts = ["." if cell is None else text or "-" for cell, text in zip(row.cells, value.texts, strict=True)]
    words = f"{who} {value.path} {' '.join(texts)}"
    items = [next((token for token in place.split("/") if token.isdecimal()), "") for place in value.places]
    return words if len(set(items)) == 1 else f"{words} at {' '.join(items)}"


def test_the_catalogue_has_what_people_meet() -> None:
    assert len(CATALOGUE) >= 25


@each("what", CATALOGUE)
def test_three_sides_stand_on_common_rows(what: str) -> None:
    golden, baseline, candidate, wanted = CATALOGUE[what]
    found = side_by_side([case(*golden), case(*baseline), case(*candidate)]).rows
    assert [told(row) for row in found if row.kind is RowKind.CALL] == wanted


def test_a_rule_of_the_golden_stands_at_its_key_path_beside_all_three() -> None:
    ignored = Matcher("/0/0/args/where/zone", Match.IGNORE)
    sides = [a(where={"zone": at, "city": city}) for at, city in ((1, "Rome"), (2, "Rome"), (3, "Oslo"))]
    golden = case(sides[0], matchers=[ignored])
    row = next(row for row in side_by_side([golden, case(sides[1]), case(sides[2])]).rows if row.kind is RowKind.CALL)
    assert [(value.path, value.rule, value.ignored) for value in row.values] == [
        ("where.zone", "ignore", True),
        ("where.city", "", False),
    ]


def test_what_the_candidate_took_more_than_the_baseline_is_told_where_all_turns_say_it() -> None:
    def took(seconds: float | None) -> Case:
        one = case(a())
        return replace(one, turns=(replace(one.turns[0], duration_s=seconds),))

    assert side_by_side([case(a()), took(2.0), took(5.5)]).more == (3.5, None)
    assert side_by_side([case(a()), took(None), took(5.5)]).more == (None, None)
