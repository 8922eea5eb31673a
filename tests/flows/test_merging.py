"""A file that changed on disk while it was edited here: nothing of either side is lost, and conflicts have names."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.flows.merges import ADK, BASE, CES, FORMAT_OF, cases_of, ids_of, merged, of, suite
from tests.helpers.campaigns import examples
from tests.helpers.eval_sets import call, case, turn
from tests.helpers.tables import each
from trace_inspector.core.golden.golden_change import Tagged, Turns, UserSays
from trace_inspector.core.golden.three_way import CONFLICTS, ChangedBy, MergeChoice
from trace_inspector.core.trace.trace import user_text
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.edit import Set
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.flows.goldens.merging import Choices, carried_over, compared
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.formats import recognise


def changed(*at: int, answer: str = "changed", base: JsonObject = BASE) -> JsonObject:
    """The suite with another first answer in some cases."""
    made = copy.deepcopy(base)
    for number in at:
        cases: Json = made["eval_cases"]
        assert isinstance(cases, list)
        cases[number] = case(f"c{number}", turn("hi", answer, [call("find", q=number)]), turn("bye"))
    return made


def some_version(data: st.DataObject, base: JsonObject, who: str) -> JsonObject:
    """What somebody made of a suite: cases changed, gone, moved, new, another name."""
    made = copy.deepcopy(base)
    listed = cases_of(made)
    for one in listed:
        assert isinstance(one, dict)
        if data.draw(st.integers(0, 3)) == 0:
            one["tags"] = [data.draw(st.sampled_from(["x", who]))]
        if data.draw(st.integers(0, 4)) == 0:
            one["conversation"] = [turn(data.draw(st.sampled_from(["hm", who])))]
    kept = [one for one in listed if data.draw(st.integers(0, 5))]
    if data.draw(st.booleans()):
        kept = list(data.draw(st.permutations(kept)))
    if data.draw(st.booleans()):
        kept.insert(data.draw(st.integers(0, len(kept))), case(f"new {who}", turn("new")))
    made["eval_cases"] = kept
    if data.draw(st.booleans()):
        made["name"] = data.draw(st.sampled_from(["Shop", who]))
    return made


@examples(25, 60)
@given(data=st.data())
def test_where_one_side_did_nothing_the_other_is_the_merge(data: st.DataObject) -> None:
    other = some_version(data, BASE, "me")
    for mine, theirs in ((other, BASE), (BASE, other), (other, other)):
        merge = of(BASE, mine, theirs)
        assert merge.conflicts == ()
        assert same(merged(merge), other)


@examples(30, 80)
@given(data=st.data())
def test_nothing_of_either_side_is_lost_without_being_asked(data: st.DataObject) -> None:
    mine, theirs = some_version(data, BASE, "me"), some_version(data, BASE, "you")
    merge = of(BASE, mine, theirs)
    for choice, wanted in ((MergeChoice.MINE, mine), (MergeChoice.THEIRS, theirs)):
        everywhere = Choices(
            dict.fromkeys(range(len(merge.cases)), choice), {one.pointer: choice for one in merge.parts}, choice
        )
        left = {json.dumps(one) for one in cases_of(merged(merge, everywhere))}
        for one in merge.cases:
            version = one.mine if choice is MergeChoice.MINE else one.theirs
            if one.kind in CONFLICTS:
                assert version is None or json.dumps(version.raw) in left
            if one.kind in (ChangedBy.ONLY_MINE, ChangedBy.NEW_HERE) and one.mine:
                assert json.dumps(one.mine.raw) in left
            if one.kind in (ChangedBy.ONLY_THEIRS, ChangedBy.NEW_THERE) and one.theirs:
                assert json.dumps(one.theirs.raw) in left
        assert len(left) == len(cases_of(merged(merge, everywhere)))
        if choice is MergeChoice.THEIRS and not merge.cases and merge.order is ChangedBy.SAME:
            assert same(merged(merge, everywhere), wanted)


@pytest.mark.parametrize(("mine", "theirs"), [((0, 3), (1,)), ((1,), (0, 3))], ids=["more here", "more there"])
def test_changes_of_different_cases_are_both_there(mine: tuple[int, ...], theirs: tuple[int, ...]) -> None:
    merge = of(BASE, changed(*mine), changed(*theirs))
    assert merge.conflicts == ()
    assert {(one.id, one.kind) for one in merge.cases} == {
        *((f"c{at}", ChangedBy.ONLY_MINE) for at in mine),
        *((f"c{at}", ChangedBy.ONLY_THEIRS) for at in theirs),
    }
    assert merge.unchanged == 1
    assert same(merged(merge), changed(0, 1, 3))


def without(*at: int) -> JsonObject:
    return suite(*(one for number, one in enumerate(cases_of(BASE)) if number not in at), name="Shop")


def tagged(number: int) -> JsonObject:
    made = copy.deepcopy(BASE)
    one = cases_of(made)[number]
    assert isinstance(one, dict)
    one["tags"] = ["smoke"]
    return made


NEW, OTHER = case("n", turn("new")), case("n", turn("other"))
ROWS: list[tuple[str, JsonObject, JsonObject, ChangedBy, dict[MergeChoice, list[str]]]] = [
    ("alike", changed(1), changed(1), ChangedBy.BOTH_SAME, {}),
    ("differently", changed(1), changed(1, answer="!"), ChangedBy.CONFLICT, {
        MergeChoice.MINE: ["c0", "c1", "c2", "c3"], MergeChoice.BOTH: ["c0", "c1", "c1 (2)", "c2", "c3"],
    }),
    ("in different places", changed(1), tagged(1), ChangedBy.COMBINED, {}),
    ("deleted here", without(1), BASE, ChangedBy.DELETED_HERE, {MergeChoice.THEIRS: ["c0", "c2", "c3"]}),
    ("deleted there", BASE, without(1), ChangedBy.DELETED_THERE, {MergeChoice.THEIRS: ["c0", "c2", "c3"]}),
    ("deleted on both sides", without(1), without(1), ChangedBy.BOTH_SAME, {MergeChoice.THEIRS: ["c0", "c2", "c3"]}),
    ("deleted here, changed there", without(1), changed(1), ChangedBy.DELETED_HERE_CHANGED_THERE, {
        MergeChoice.MINE: ["c0", "c2", "c3"], MergeChoice.THEIRS: ["c0", "c1", "c2", "c3"],
    }),
    ("changed here, deleted there", changed(1), without(1), ChangedBy.CHANGED_HERE_DELETED_THERE, {
        MergeChoice.MINE: ["c0", "c1", "c2", "c3"], MergeChoice.THEIRS: ["c0", "c2", "c3"],
    }),
    ("new here", suite(NEW, *cases_of(BASE), name="Shop"), BASE, ChangedBy.NEW_HERE, {
        MergeChoice.THEIRS: ["n", "c0", "c1", "c2", "c3"],
    }),
    ("new on both sides", suite(*cases_of(BASE), NEW, name="Shop"), suite(OTHER, *cases_of(BASE), name="Shop"),
        ChangedBy.CONFLICT, {MergeChoice.BOTH: ["n", "n (2)", "c0", "c1", "c2", "c3"]}),
]  # fmt: skip


@each(("mine", "theirs", "kind", "left"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_kinds_and_choices(mine: Json, theirs: Json, kind: ChangedBy, left: dict[MergeChoice, list[str]]) -> None:
    merge = of(BASE, mine, theirs)
    (one,) = merge.cases
    assert one.kind is kind
    assert bool(merge.conflicts) == (kind in CONFLICTS)
    assert {version.case.id for version in (one.base, one.mine, one.theirs) if version and version.case} == {one.id}
    for choice, ids in left.items():
        assert ids_of(merged(merge, Choices({0: choice}))) == ids


def test_changes_of_one_case_in_different_places_are_both_made() -> None:
    one = cases_of(changed(1))[1]
    assert isinstance(one, dict)
    assert same(cases_of(merged(of(BASE, changed(1), tagged(1))))[1], {**one, "tags": ["smoke"]})


def test_a_case_whose_turns_moved_is_not_put_together_by_key() -> None:
    mine = copy.deepcopy(BASE)
    first = cases_of(mine)[0]
    assert isinstance(first, dict)
    first["conversation"] = [turn("bye"), turn("hi", "hello", [call("find", q=0)])]
    assert [one.kind for one in of(BASE, mine, tagged(0)).cases] == [ChangedBy.CONFLICT]


def test_a_renamed_case_is_the_same_case() -> None:
    mine = copy.deepcopy(BASE)
    first = cases_of(mine)[2]
    assert isinstance(first, dict)
    first["eval_id"] = "renamed"
    merge = of(BASE, mine, changed(0))
    assert [(one.id, one.kind) for one in merge.cases] == [("c0", ChangedBy.ONLY_THEIRS), ("c2", ChangedBy.ONLY_MINE)]
    assert ids_of(merged(merge)) == ["c0", "c1", "renamed", "c3"]


def test_the_order_of_either_side_is_kept() -> None:
    turned = suite(*reversed(cases_of(BASE)), name="Shop")
    assert ids_of(merged(of(BASE, turned, changed(0)))) == ["c3", "c2", "c1", "c0"]
    assert ids_of(merged(of(BASE, changed(0), turned))) == ["c3", "c2", "c1", "c0"]
    both = of(BASE, turned, suite(*(cases_of(BASE)[at] for at in (1, 0, 2, 3)), name="Shop"))
    assert both.order is ChangedBy.CONFLICT
    assert ids_of(merged(both)) == ["c1", "c0", "c2", "c3"]
    assert ids_of(merged(both, Choices(order=MergeChoice.MINE))) == ["c3", "c2", "c1", "c0"]


def test_what_is_no_case_is_told_by_key() -> None:
    merge = of(BASE, {**BASE, "name": "Mine"}, {**BASE, "name": "Theirs", "description": "d"})
    assert [(one.pointer, one.kind) for one in merge.parts] == [
        ("/name", ChangedBy.CONFLICT),
        ("/description", ChangedBy.NEW_THERE),
    ]
    assert merge.conflicts == merge.parts[:1]
    assert same(merged(merge), {**BASE, "name": "Theirs", "description": "d"})
    mine = merged(merge, Choices(parts={"/name": MergeChoice.MINE}))
    assert isinstance(mine, dict)
    assert (mine["name"], mine["description"]) == ("Mine", "d")


def unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


def carried(session: EditSession, path: Path, change: Callable[[bytes], bytes]) -> EditSession:
    """The file changed on disk, and what was changed here carried over."""
    path.write_bytes(change(path.read_bytes()))
    now = read(path)
    known = recognise(now.value)
    assert known is not None
    merge = compared(session.saved, session.state.document, now, known)
    assert merge.conflicts == ()
    new, _losses = carried_over(session, merge)
    return new


def respaced(data: bytes) -> bytes:
    """Another argument of the last case, and other spaces everywhere."""
    return data.replace(b'"q": 3', b'"q":   30').replace(b'"text": "bye"', b'"text":   "bye"')


def test_only_what_was_changed_here_is_spliced_into_the_file_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(BASE, indent=2) + "\n")
    with closing(EditSession(read(path), unnoted)) as session:
        goldens = GoldenSession(session, ADK)
        second = goldens.case("/eval_cases/1").turns
        goldens.change("/eval_cases/1", Turns((second[1], second[0])))
        goldens.change("/eval_cases/1", Tagged(("mine",)))
        with closing(carried(session, path, respaced)) as new:
            disk, here = path.read_bytes(), new.state.document.data
            again = GoldenSession(new, ADK)
            assert again.case("/eval_cases/1").tags == ("mine",)
            assert b'"q":   30' in here
            at = disk.index(b'"eval_id": "c1"'), disk.index(b'"eval_id": "c2"')
            assert here.startswith(disk[: at[0]])
            assert here.endswith(disk[at[1] :])
            assert here.count(b'"text":   "bye"') == 4  # the moved turn keeps its very text
            assert (new.state.can_undo, new.state.can_redo, new.state.is_changed) == (True, False, True)
            again.undo()
            assert new.state.document.data == disk
            again.redo()
            new.save()
            assert path.read_bytes() == here
        assert session.state.is_changed


def test_a_merge_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(BASE, indent=2))
    session = EditSession(read(path), unnoted)
    GoldenSession(session, ADK).change("/eval_cases/1", Tagged(("mine",)))
    written: list[JournalWriter] = []
    session._written = written.append
    new = carried(session, path, lambda data: data.replace(b'"Shop"', b'"Store"'))
    wanted = new.state.document.data
    session.close()
    (journal,) = written
    before = len(list(journal.path.parent.iterdir()))
    journal.sync()
    assert (before, len(list(journal.path.parent.iterdir()))) == (2, 1)
    new.close()
    (found,) = find_recoverable().recoverable
    with closing(recover(found, unnoted)) as recovered:
        assert recovered.state.document.data == wanted
        recovered.undo()
        assert recovered.state.document.data == path.read_bytes()
        recovered.discard()


def test_with_nothing_of_ones_own_left_no_journal_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(BASE, indent=2))
    session = EditSession(read(path), unnoted)
    GoldenSession(session, ADK).change("/eval_cases/0", UserSays("/eval_cases/0/conversation/1", "tschüss"))
    new = carried(session, path, lambda _data: session.state.document.data)
    assert not new.state.is_changed
    assert not find_recoverable().recoverable
    new.close()
    session.close()


VERTEX_ROWS = [{"prompt": f"p{at}", "reference": f"r{at}", "response": "x"} for at in range(3)]


def test_a_single_case_is_merged_by_key(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(CES, indent=2))
    with closing(EditSession(read(path), unnoted)) as session:
        session.apply(Set("/golden/turns/0/steps/0/userInput/text", '"mine"'))
        other = b'"text": "hi"'
        with closing(
            carried(session, path, lambda data: data[::-1].replace(other[::-1], b'"sriehT" :"txet"', 1)[::-1])
        ) as new:
            golden = GoldenSession(new, FORMAT_OF["ces-evaluation"])
            texts = [user_text(one) for one in golden.case("").turns]
            assert texts == ["mine", "Theirs"]
            new.discard()
        session.discard()


def test_lines_are_merged_as_cases(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in VERTEX_ROWS))
    with closing(EditSession(read(path), unnoted)) as session:
        session.apply(Set("/1/reference", '"mine"'))
        new_line = b'{"prompt":"p9","reference":"r9","response":"x"}\n'
        with closing(carried(session, path, lambda data: new_line + data)) as new:
            expected = path.read_bytes().replace(b'"r1"', b'"mine"')
            assert new.state.document.data == expected
            new.discard()
        session.discard()


def test_evaluations_in_a_list_are_cases(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"evaluations": [{**CES, "displayName": name} for name in "abc"]}, indent=2))
    with closing(EditSession(read(path), unnoted)) as session:
        GoldenSession(session, FORMAT_OF["ces-evaluation"]).change("/evaluations/1", Tagged(("mine",)))
        with closing(carried(session, path, lambda data: data.replace(b'"c"', b'"changed"'))) as new:
            golden = GoldenSession(new, FORMAT_OF["ces-evaluation"])
            assert [(one.id, one.tags) for one in map(golden.case, golden.places)] == [
                ("a", ("a",)),
                ("b", ("mine",)),
                ("changed", ("a",)),
            ]
            new.discard()
        session.discard()
