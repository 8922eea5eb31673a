"""Goldens in files of Vertex AI's evaluation items: changed and taken back to the byte, and saved as new items."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.formats import vertex_golden_files as made
from tests.formats.vertex_wishes import told, wishes
from tests.helpers.campaigns import examples, is_long
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Named, Rubrics, Tagged, UserSays
from trace_inspector.core.values.pointer import resolve
from trace_inspector.documents.reading.reading import parse
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats import BY_NAME

FORMAT = BY_NAME["vertex-item"]

KINDS = tuple(made.files(made.REQUESTS["asked"]))
REQUESTS = tuple(made.REQUESTS)
# Every third wish, another one in each file: still each with every kind and with every request.
SHARE = 1 if is_long() else 3


@contextmanager
def opened(data: bytes, path: Path) -> Iterator[GoldenSession]:
    with closing(EditSession(parse(data, path), lambda _journal: None)) as session:
        yield GoldenSession(session, FORMAT)
        session.discard()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", REQUESTS)
def test_every_change_reads_back_and_undone_leaves_the_original_bytes(name: str, kind: str) -> None:
    text, suffix, place = made.files(made.REQUESTS[name])[kind]
    original = text.encode()
    with opened(original, Path(f"x{suffix}")) as goldens:
        assert place in goldens.places
        first = (KINDS.index(kind) + REQUESTS.index(name)) % SHARE
        for what, wish in list(wishes(goldens.case(place)))[first::SHARE]:
            if kind.startswith("bare") and not wish.in_bare:
                with pytest.raises(EditError):
                    goldens.change(place, wish.change)
                continue
            moved = goldens.change(place, wish.change)
            now = goldens.session.state.document
            assert wish.look(goldens.case(place)) == wish.wanted, what
            assert parse(now.data, now.path).value == now.value, what
            if moved.steps:
                goldens.undo()
            assert goldens.session.state.document.data == original, what


@pytest.mark.parametrize("kind", KINDS)
@examples(8, 20)
@given(data=st.data())
def test_changes_one_after_the_other_are_undone_and_redone(kind: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(made.REQUESTS)))
    text, suffix, place = made.files(made.REQUESTS[name])[kind]
    with opened(text.encode(), Path(f"x{suffix}")) as goldens:
        for _ in range(data.draw(st.integers(1, 4))):
            case = goldens.case(place)
            open_to = dict(wishes(case)) if len(case.rubrics) == 3 else {}
            wish = open_to[data.draw(st.sampled_from(sorted(open_to)))] if open_to else None
            if wish is None or (kind.startswith("bare") and not wish.in_bare):
                continue
            goldens.change(place, wish.change)
            now = goldens.session.state.document
            assert parse(now.data, now.path).value == now.value
        last = goldens.session.state.document.data
        while goldens.session.state.can_undo:
            goldens.undo()
        assert goldens.session.state.document.data == text.encode()
        while goldens.session.state.can_redo:
            goldens.redo()
        assert goldens.session.state.document.data == last


@pytest.mark.parametrize("kind", ["item", "snake", "reply", "lines"])
def test_what_is_beside_a_change_keeps_its_bytes(kind: str) -> None:
    text, suffix, place = made.files(made.REQUESTS["history answered"])[kind]
    with opened(text.encode(), Path(f"x{suffix}")) as goldens:
        case = goldens.case(place)
        first, *others = case.rubrics
        change = Rubrics(case.place, (replace(first, text="Is kind."), *others))
        goldens.change(place, UserSays(case.turns[1].place, "Other"), Tagged(("team: desk", "level: 3")), change)
        after = goldens.session.state.document.data.decode()
    expected = text.replace('"Question 1"', '"Other"', 1).replace('"team": "seats"', '"team": "desk"', 1)
    start = expected.index("Question 0")  # the entry itself; others in the file have the same rubric
    assert after == expected[:start] + expected[start:].replace('"Is polite."', '"Is kind."', 1)


def test_a_copy_under_another_name_is_a_new_item_and_the_file_stays_one(tmp_path: Path) -> None:
    text, suffix, place = made.files(made.REQUESTS["told"])["reply"]
    path = tmp_path / f"items{suffix}"
    path.write_text(text, encoding="utf-8")
    with opened(path.read_bytes(), path) as goldens:
        case = goldens.case(place)
        goldens.change(place, UserSays(case.turns[0].place, "Other"))
        goldens.session.save(tmp_path / "new.json")
        saved = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))
        before = json.loads(text)
        assert saved["evaluationItems"][1].keys() == before["evaluationItems"][1].keys() - {"name", "createTime"}
        assert [saved["evaluationItems"][at] for at in (0, 2)] == [before["evaluationItems"][at] for at in (0, 2)]
        shown = open_file(tmp_path / "new.json").contents.suites[0].cases
        assert told(replace(goldens.case(place), id="")) in [told(one) for one in shown]
    with opened(path.read_bytes(), path) as goldens:
        goldens.change(place, Named("two"))
        named = resolve(goldens.value, place)
        assert isinstance(named, dict)
        assert (named["displayName"], "name" in named) == ("two", False)
        assert goldens.case(place).id == "two"


def test_goldens_are_arranged_around_results(tmp_path: Path) -> None:
    text, suffix, place = made.files(made.REQUESTS["told"])["reply"]
    with opened(text.encode(), tmp_path / f"x{suffix}") as goldens:
        assert list(goldens.places) == ["/evaluationItems/1", "/evaluationItems/2"]
        copy = replace(goldens.case(place), id="copy", place="")
        goldens.arrange(["/evaluationItems/2", copy, place])
        assert [goldens.case(one).id for one in goldens.places] == ["q7", "copy", "q1"]
        held = resolve(goldens.value, "/evaluationItems/0")
        assert isinstance(held, dict)
        assert "evaluationResponse" in held
        goldens.arrange([])
        assert list(goldens.places) == []
        assert resolve(goldens.value, "/evaluationItems") == [held]
        goldens.undo()
        goldens.undo()
        assert goldens.session.state.document.data == text.encode()
