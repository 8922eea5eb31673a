from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from tests.models.stories import batches, call, golden, printed, rows_of, table, trace, turn
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Span, SpanKind, Trace, Turn
from trace_inspector.models.base.row_table import TOP, Ghost, RowTable

STORY = (
    trace("a", turn(0, "one?", call("search", q="x"), spans=2), turn(1, "two?")),
    trace("b", turn(0, "three?", call("rents"), call("events"))),
)
SHOWN = [
    "TRACE a",
    "  TURN Turn 1  “one?”",
    '    CALL search(q="x")',
    '      RESULT {"ok": true}',
    "    ANSWER “Done.”",
    "  TURN Turn 2  “two?”",
    "    ANSWER “Done.”",
    "TRACE b",
    "  TURN Turn 1  “three?”",
    "    CALL rents()",
    '      RESULT {"ok": true}',
    "    CALL events()",
    '      RESULT {"ok": true}',
    "    ANSWER “Done.”",
]


class Noting:
    """A watcher that keeps what it would show by applying what it is told."""

    def __init__(self, watched: RowTable) -> None:
        self._table = watched
        self.told: list[tuple[int, int, int]] = []
        self.layouts = 0
        self._before: list[int] = []
        watched.watchers.append(self)

    def rows_coming(self, parent: int, first: int, last: int) -> None:
        self._before = list(self._table.visible_children(parent))
        self.told.append((parent, first, last))

    def rows_came(self) -> None:
        parent, first, last = self.told[-1]
        now = list(self._table.visible_children(parent))
        assert now[:first] + now[last + 1 :] == self._before

    def layout_changing(self) -> None:
        self.layouts += 1

    def layout_changed(self) -> None:
        pass


@given(st.integers(1, 12))
def test_the_tree_is_the_same_however_rows_arrive(size: int) -> None:
    assert printed(table(*STORY, size=size)) == SHOWN


def test_every_row_knows_its_place() -> None:
    shown = table(*STORY)
    for parent in [TOP, *range(len(shown))]:
        for at, row in enumerate(shown.visible_children(parent)):
            assert (shown.parent(row), shown.position(row)) == (parent, at)


def test_plumbing_is_hidden_and_counted_and_comes_back() -> None:
    shown = table(*STORY)
    assert shown.plumbing_count == 2
    spans = [row for row in range(len(shown)) if shown.kind(row) is Kind.SPAN]
    assert [shown.position(row) for row in spans] == [-1, -1]
    shown.hide_plumbing(hidden=False)
    assert [line for line in printed(shown) if "SPAN" in line] == ["    SPAN POST"] * 2
    assert [shown.position(row) for row in spans] == [2, 3]


@given(st.integers(1, 12), st.booleans())
def test_watchers_hear_of_rows_under_parents_they_know_and_of_nothing_else(size: int, hidden: bool) -> None:
    shown = RowTable()
    shown.hide_plumbing(hidden)
    watcher = Noting(shown)
    for batch in batches(*STORY, size=size):
        known = len(shown)
        shown.append(batch)
        assert all(parent < known for parent, _first, _last in watcher.told)
    under_top = [at for parent, first, last in watcher.told if parent == TOP for at in range(first, last + 1)]
    assert under_top == [0, 1]


def test_a_ghost_stands_behind_its_sibling() -> None:
    shown = table(*STORY)
    (search, rents, events), (first, *_others) = rows_of(shown, Kind.CALL), rows_of(shown, Kind.TURN)
    turn_row = shown.parent(rents)
    shown.swap_ghosts(
        (),
        [
            Ghost(Kind.MISSING_CALL, turn_row, rents, "zoning()", 1),
            Ghost(Kind.MISSING_CALL, turn_row, TOP, "parking()", 0),
            Ghost(Kind.MISSING_TURN, shown.parent(first), first, "Turn 2  “and?”", 1),
        ],
    )
    assert [shown.label(row) for row in shown.visible_children(turn_row)] == [
        "parking()",
        "rents()",
        "zoning()",
        "events()",
        "“Done.”",
    ]
    ghost = shown.visible_children(turn_row)[2]
    assert (shown.parent(ghost), shown.position(ghost), shown.position(events)) == (turn_row, 2, 3)
    assert (shown.body(ghost), shown.place(ghost), shown.duration_s(ghost), shown.tokens(ghost)) == (
        None,
        "",
        None,
        None,
    )
    assert shown.position(search) == 0
    assert shown.missing_turn(shown.parent(first), 1) == shown.visible_children(shown.parent(first))[1]


def test_a_ghost_keeps_its_number_and_others_go() -> None:
    shown = table(*STORY)
    watcher = Noting(shown)
    ghosts = [Ghost(Kind.MISSING_TURN, 0, TOP, f"Turn {number}", number) for number in range(3)]
    shown.swap_ghosts((), ghosts)
    last = shown.missing_turn(0, 2)
    shown.swap_ghosts(ghosts[:2], ())
    assert shown.missing_turn(0, 2) == last
    assert shown.has(last)
    assert not shown.has(last - 1)
    shown.clear_ghosts()
    shown.clear_ghosts()
    assert printed(shown) == SHOWN
    assert watcher.layouts == 2


def test_a_ghost_shows_while_plumbing_is_hidden_and_while_more_rows_arrive() -> None:
    first, *rest = batches(*STORY, size=3)
    shown = RowTable()
    shown.append(first)
    shown.swap_ghosts((), [Ghost(Kind.MISSING_CALL, 1, TOP, "parking()", 0)])
    for batch in rest:
        shown.append(batch)
    assert printed(shown)[2] == "    MISSING_CALL parking()"
    assert [line for line in printed(shown) if "MISSING" not in line] == SHOWN


def test_turns_add_up_to_their_trace() -> None:
    shown = table(*STORY)
    one, two = shown.tops
    assert (shown.duration_s(one), shown.tokens(one), shown.call_count(one)) == (20.0, 110, 1)
    assert (shown.duration_s(two), shown.tokens(two), shown.call_count(two)) == (10.0, 220, 2)
    assert [len(shown.turns(top)) for top in shown.tops] == [2, 1]
    assert shown.longest_turn_s == 10.0


def test_what_nobody_reported_is_not_zero() -> None:
    shown = table(trace("a", Turn(0)))
    assert (shown.duration_s(0), shown.tokens(0), shown.start_s(0)) == (None, None, None)


def test_a_row_opens_what_it_stands_for() -> None:
    said = turn(0, "one?", call("search", q="x"))
    stray = Span("s", "queue", SpanKind.OTHER)
    event = Event("a", state_delta={"city": "Yakima"})
    shown = table(Trace("a", (said, Turn(1, events=(event,))), spans=(stray,)), golden(("g", (said,))))
    things = {shown.kind(row).name + shown.label(row)[:6]: shown.thing(row) for row in range(len(shown))}
    assert things["TURNTurn 1"] == said
    assert things["CALLsearch"] == call("search", q="x")
    assert things["ANSWER“Done."] == (Text("Done."),)
    assert things["SPANqueue"] == stray
    assert things["STATEstate:"] == event
    assert isinstance(things['RESULT{"ok":'], object)
    assert shown.body(shown.tops[1]) == golden(("g", ())).cases[0]


def test_bodies_are_opened_once_while_they_are_looked_at() -> None:
    shown = table(trace("a", *(turn(index, "?") for index in range(40))))
    turns = shown.turns(0)
    assert shown.body(turns[0]) is shown.body(turns[0] + 1)
    before = shown.body(turns[0])
    for row in turns:
        shown.body(row)
    assert shown.body(turns[0]) is not before
    assert shown.body(turns[0]) == before


@each(
    ("place", "label"), [("/b", "b"), ("/b/turns/3/text", "b"), ("/call", "search()"), ("/nowhere", None), ("", None)]
)
def test_the_nearest_row_around_a_place(place: str, label: str | None) -> None:
    event = Event("a", (ToolCall("search", {}, place="/call"),))
    shown = table(trace("a", Turn(0, events=(event,))), trace("b"))
    row = shown.row_near(place)
    assert (shown.label(row) if row != TOP else None) == label


def test_calls_by_their_number() -> None:
    shown = table(*STORY)
    turn_row = shown.turns(shown.tops[1])[0]
    assert [shown.label(row) for row in shown.calls(turn_row)] == ["rents()", "events()"]
    assert [shown.call_index(row) for row in shown.calls(turn_row)] == [0, 1]


def test_ancestors() -> None:
    shown = table(*STORY)
    result = rows_of(shown, Kind.RESULT)[0]
    assert shown.label(shown.turn_of(result)) == "Turn 1  “one?”"
    assert shown.label(shown.top_of(result)) == "a"
    assert shown.turn_of(shown.tops[0]) == TOP
