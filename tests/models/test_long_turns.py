"""A turn that is kept in several bodies looks like any other, and looking at one event opens few of them."""

from __future__ import annotations

import pickle

import pytest
from msgspec.structs import replace

from tests.core.test_long_turn import A_BODY, LONG
from tests.models.stories import table, turn
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.safe_unpickle import unpack
from trace_inspector.core.trace import long_turn
from trace_inspector.core.trace.trace import Trace, Turn, turn_usage
from trace_inspector.models.base import bodies
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.search.whole_texts import BodySearch
from trace_inspector.work.processes.timing import work_of
from trace_inspector.work.reading.contents_from_rows import Bodies, rebuild

TURNS = (turn(0, "first?"), LONG, turn(2, "third?"))


@pytest.fixture
def at_once() -> RowTable:
    return table(Trace("t"), *TURNS)


@pytest.fixture
def cut_up(at_once: RowTable, monkeypatch: pytest.MonkeyPatch) -> RowTable:
    assert len(at_once.bodies()) == 4
    monkeypatch.setattr(long_turn, "EVENTS_A_BODY", A_BODY)
    made = table(Trace("t"), *TURNS)
    assert len(made.bodies()) == 7
    return made


def test_every_row_stands_for_the_same(at_once: RowTable, cut_up: RowTable) -> None:
    for row in range(len(at_once)):
        assert cut_up.event(row) == at_once.event(row)
        if at_once.kind(row) not in (Kind.TURN, Kind.AGENTS):
            assert cut_up.thing(row) == at_once.thing(row)
    for row in at_once.turns(0):
        thing, whole = cut_up.thing(row), at_once.thing(row)
        assert isinstance(thing, Turn)
        assert isinstance(whole, Turn)
        assert thing == (replace(whole, events=(), spans=()) if whole == LONG else whole)
        assert cut_up.figures(row) == at_once.figures(row) == (len(at_once.calls(row)), turn_usage(whole))


def test_what_is_rebuilt_and_timed_is_whole(at_once: RowTable, cut_up: RowTable) -> None:
    made = cut_up.bodies()
    (trace,) = rebuild(Bodies("/t", "made", len(made)), iter(made)).traces
    assert trace.turns == TURNS
    for row in cut_up.turns(0):
        numbers = cut_up.turn_bodies(row)
        (whole,) = at_once.turn_bodies(row)
        timed = [work_of([made[number] for number in numbers]), work_of([at_once.bodies()[whole]])]
        assert pickle.dumps(timed[0]) == pickle.dumps(timed[1])


@pytest.mark.parametrize("word", ["first", "second", "third", "broke", "Done", "wait", "span 7"])
def test_words_are_found_in_the_same_rows(word: str, at_once: RowTable, cut_up: RowTable) -> None:
    def found(shown: RowTable) -> set[tuple[int, int]]:
        search = BodySearch(shown, [(word,)])
        hits: set[tuple[int, int]] = set()
        while not search.finished:
            hits.update(search.step())
        return hits

    assert found(cut_up) == found(at_once)


def test_looking_at_one_event_opens_one_body(monkeypatch: pytest.MonkeyPatch, cut_up: RowTable) -> None:
    opened: list[bytes] = []

    def noted(pickled: bytes) -> object:
        opened.append(pickled)
        return unpack(pickled)

    monkeypatch.setattr(bodies, "unpack", noted)
    row = next(row for row in range(len(cut_up)) if cut_up.label(row) == "broke")
    assert cut_up.thing(row) == LONG.events[5]
    assert cut_up.event(row) == LONG.events[5]
    assert opened == [cut_up.bodies()[cut_up.address(row)[0]]]
