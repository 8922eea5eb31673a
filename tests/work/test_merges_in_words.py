"""What somebody reads who chooses between two versions of a golden: as people read it, else as it stands there."""

from __future__ import annotations

from tests.flows.merges import BASE, cases_of, of, suite
from tests.helpers.eval_sets import call, case, turn
from trace_inspector.core.golden.three_way import ChangedBy
from trace_inspector.core.values.values import Json
from trace_inspector.work.golden.merging import Merging, answer
from trace_inspector.work.golden.requests import MergeRow


def row(name: str, mine: Json, theirs: Json) -> MergeRow:
    """The row of that name."""
    return next(one for one in answer(Merging(of(BASE, mine, theirs), ""), 1).rows if one.name == name)


def with_first(first: Json) -> Json:
    return suite(first, *cases_of(BASE)[1:], name="Shop")


def test_a_golden_that_both_changed_is_told_as_people_read_it() -> None:
    mine = case("c0", turn("hi", "mine", [call("find", q=0)]), turn("bye"))
    found = row("c0", with_first(mine), with_first(case("c0", turn("hi", "theirs"))))
    assert found.kind is ChangedBy.CONFLICT
    assert found.mine.splitlines() == [
        "Case c0", "Turn 1", "  User: hi", '  Call: find {"q": 0}', "  Answer: mine", "Turn 2", "  User: bye",
        "  Answer: ",
    ]  # fmt: skip
    assert found.theirs.splitlines() == ["Case c0", "Turn 1", "  User: hi", "  Answer: theirs"]


def test_what_people_would_not_see_is_shown_as_it_stands_in_the_file() -> None:
    first = cases_of(BASE)[0]
    assert isinstance(first, dict)
    found = row("c0", with_first({**first, "x": "mine"}), with_first({**first, "x": "theirs"}))
    assert '"x": "mine"' in found.mine
    assert '"x": "theirs"' in found.theirs


def test_a_golden_that_is_gone_on_one_side_is_not_there() -> None:
    changed = with_first(case("c0", turn("hi", "changed")))
    found = row("c0", changed, suite(*cases_of(BASE)[1:], name="Shop"))
    assert (found.mine.splitlines()[-1], found.theirs) == ("  Answer: changed", "(not there)")
