"""Whoever follows a golden through a step finds that golden, also where nothing of the file is the same object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.eval_sets import case, turn
from trace_inspector.core.golden.golden_change import Answers
from trace_inspector.core.values.value_edits import pointers_after
from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession, Moved
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.formats import recognise
from trace_inspector.work.golden import merging as golden_merging
from trace_inspector.work.golden.requests import Merged

Step = Callable[[GoldenSession], Moved]


def suite(*names: str, **answers: str) -> JsonObject:
    cases = [case(name, turn(f"{name}?", answers.get(name, "Yes."))) for name in names]
    return {"eval_set_id": "shop", "eval_cases": [*cases]}


def plain(value: JsonObject) -> str:
    return json.dumps(value, indent=2)


def commented(value: JsonObject) -> str:
    return "// by hand\n" + plain(value)


def session(path: Path) -> GoldenSession:
    made = EditSession(read(path), lambda _journal: None)
    known = recognise(made.state.document.value)
    assert known is not None
    return GoldenSession(made, known)


def ids(golden: GoldenSession) -> dict[str, str]:
    return {place: golden.case(place).id for place in golden.places}


def check(golden: GoldenSession, step: Step, changed: set[str]) -> None:
    """Every golden that is still there is found at its place, and only those are new or different."""
    before = ids(golden)
    moved = step(golden)
    after = ids(golden)
    followed = {name: pointers_after([place], moved.steps)[place] for place, name in before.items()}
    there = {name: place for place, name in after.items()}
    assert followed == {name: there.get(name) for name in before.values()}
    assert {after[place] for place in moved.cases} == changed


def taken_out(golden: GoldenSession) -> Moved:
    return golden.arrange(golden.places[1:])


def answered(golden: GoldenSession) -> Moved:
    found = golden.case(golden.places[-1])
    return golden.change(found.place, Answers(found.turns[0].place, "mine"))


@pytest.mark.parametrize("text", [plain, commented], ids=["plain", "commented"])
def test_a_case_that_goes_and_comes_back_takes_no_others_place(
    tmp_path: Path, text: Callable[[JsonObject], str]
) -> None:
    (path := tmp_path / "shop.evalset.json").write_text(text(suite("A", "B", "C")))
    golden = session(path)
    check(golden, taken_out, set())
    check(golden, GoldenSession.undo, {"A"})
    check(golden, GoldenSession.redo, set())
    check(golden, answered, {"C"})
    check(golden, lambda one: one.go(-2), {"A", "C"})
    check(golden, lambda one: one.go(2), {"C"})
    check(golden, GoldenSession.revert, {"A", "C"})


@pytest.mark.parametrize("back", [GoldenSession.undo, GoldenSession.revert], ids=["undo", "revert"])
def test_so_it_is_with_edits_of_another_process(tmp_path: Path, private_data: Path, back: Step) -> None:
    (path := tmp_path / "shop.evalset.json").write_text(plain(suite("A", "B", "C")))
    golden = session(path)
    taken_out(golden)
    golden.session.close()
    (left,) = find_recoverable().recoverable
    assert left.journal.is_relative_to(private_data)
    golden = GoldenSession(recover(left, lambda _journal: None), golden.format)
    check(golden, back, {"A"})


def test_a_case_that_came_in_on_disk_takes_no_others_place(tmp_path: Path) -> None:
    (path := tmp_path / "shop.evalset.json").write_text(plain(suite("A", "B", "C")))
    golden = session(path)
    answered(golden)
    path.write_text(plain(suite("New", "A", "B", "C", A="theirs")))

    def together(one: GoldenSession) -> Moved:
        merging = golden_merging.begin(one)
        merged, moved = golden_merging.put_together(one, merging, Merged(1, merging.digest))
        one.session = merged.session
        return moved

    check(golden, together, {"New", "A"})
    check(golden, GoldenSession.undo, {"C"})
