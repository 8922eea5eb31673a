"""No merge gives two goldens one id: what was named here gives way, and it is said."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.flows.merges import CES, FORMAT_OF, cases_of, ids_of, merged, of, suite
from tests.helpers.campaigns import examples
from tests.helpers.eval_sets import case, turn
from tests.helpers.tables import each
from trace_inspector.core.golden.three_way import MergeChoice
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.reading.reading import parse
from trace_inspector.flows.goldens import merging
from trace_inspector.flows.goldens.merging import Choices, compared


def answered(value: Json) -> list[tuple[str, str]]:
    """Each case by its id and its answer."""
    keys = "eval_id", "conversation/0/final_response/parts/0/text"
    found = ([resolve(one, f"/{key}") for key in keys] for one in cases_of(value))
    return [(str(name), str(answer)) for name, answer in found]


def said(*cases: tuple[str, str]) -> JsonObject:
    """A suite of cases, each an id and an answer by which it is told from others."""
    return suite(*(case(name, turn("hi", answer)) for name, answer in cases))


A, B = ("a", "1"), ("b", "2")
CLASHES: list[tuple[str, JsonObject, JsonObject, JsonObject, list[tuple[str, str]]]] = [
    ("renamed here, new there", said(A), said(("n", "1")), said(A, ("n", "t")), [("n (2)", "1"), ("n", "t")]),
    ("new here, renamed there", said(A), said(A, ("n", "m")), said(("n", "1")), [("n", "1"), ("n (2)", "m")]),
    ("renamed on both sides", said(A, B), said(("n", "1"), B), said(A, ("n", "2")), [("n (2)", "1"), ("n", "2")]),
    ("renamed here, changed and renamed there", said(A, B), said(("n", "1"), B), said(("a", "1t"), ("n", "2")),
        [("n (2)", "1t"), ("n", "2")]),
    ("two of one id here", said(A, B), said(("n", "1"), ("n", "2")), said(A, B, ("n", "t")),
        [("n (2)", "1"), ("n (3)", "2"), ("n", "t")]),
    ("two ids", said(A, B), said(("n", "1"), ("o", "2")), said(A, B, ("o", "u"), ("n", "t")),
        [("n (2)", "1"), ("o (2)", "2"), ("o", "u"), ("n", "t")]),
    ("the next id is taken, too", said(A), said(("n", "1")), said(A, ("n", "t"), ("n (2)", "u")),
        [("n (3)", "1"), ("n", "t"), ("n (2)", "u")]),
    ("there twice from the first", said(A, ("a", "2")), said(("a", "1m"), ("a", "2")),
        said(A, ("a", "2t"), ("c", "3")),
        [("a", "1m"), ("a", "2t"), ("c", "3")]),
    ("twice here alone", said(A, B), said(("b", "1"), B), said(A, B, ("c", "3")),
        [("b", "1"), ("b", "2"), ("c", "3")]),
    ("twice there alone", said(A, B), said(A, B, ("c", "3")), said(("b", "1"), B),
        [("b", "1"), ("b", "2"), ("c", "3")]),
]  # fmt: skip


@each(("base", "mine", "theirs", "left"), [row[1:] for row in CLASHES], ids=[row[0] for row in CLASHES])
def test_an_id_that_both_sides_gave_stays_with_the_case_on_disk(
    base: Json, mine: Json, theirs: Json, left: list[tuple[str, str]]
) -> None:
    merge = of(base, mine, theirs)
    assert merge.conflicts == ()
    made = merging.merged(merge)
    assert answered(made.value) == left
    new = [name for name, _ in left if name not in {*ids_of(mine), *ids_of(theirs)}]
    told = [f"“{name[:-4]}” from here becomes “{name}”: another golden on disk got" for name in new]
    assert [loss.message[: len(start)] for loss, start in zip(made.losses, told, strict=True)] == told


def named_version(data: st.DataObject, base: JsonObject, who: str) -> JsonObject:
    """What somebody made of a suite who renames, adds and deletes, and gives no id twice."""
    answers = [answer for _, answer in answered(base) if data.draw(st.integers(0, 5))]
    answers += [f"new {who}"] * data.draw(st.integers(0, 1))
    ids = data.draw(st.lists(st.sampled_from("abcdef"), min_size=len(answers), max_size=len(answers), unique=True))
    known = {answer: name for name, answer in answered(base)}
    kept = [known.get(answer, "") if data.draw(st.booleans()) else "" for answer in answers]
    names = [name if name and name not in ids else fresh for name, fresh in zip(kept, ids, strict=True)]
    return said(
        *((name, answer + data.draw(st.sampled_from(["", who]))) for name, answer in zip(names, answers, strict=True))
    )


@examples(50, 120)
@given(data=st.data())
def test_no_id_is_there_twice_after_a_merge_when_no_side_has_it_twice(data: st.DataObject) -> None:
    base = said(*((name, name) for name in "abc"))
    merge = of(base, named_version(data, base, "me"), named_version(data, base, "you"))
    choices = {at: data.draw(st.sampled_from(MergeChoice)) for at in range(len(merge.cases))}
    ids = ids_of(merged(merge, Choices(choices, order=data.draw(st.sampled_from(MergeChoice)))))
    assert len(set(map(str, ids))) == len(ids)


def test_a_very_long_id_is_told_in_short() -> None:
    name = "n\n" + "x" * 100_000
    made = merging.merged(of(said(A), said((name, "1")), said(A, (name, "t"))))
    assert ids_of(made.value) == [f"{name} (2)", name]
    (loss,) = made.losses
    assert len(loss.message) < 400
    assert "\n" not in loss.message
    assert "x (2)”" in loss.message


def test_cases_that_are_named_by_their_place_get_no_id_of_a_merge() -> None:
    unnamed = [case("", turn("hi", answer)) for answer in "mt"]
    made = merging.merged(of(said(A), suite(*cases_of(said(A)), unnamed[0]), suite(unnamed[1], *cases_of(said(A)))))
    assert (ids_of(made.value), made.losses) == (["", "a", ""], ())


def test_evaluations_of_a_list_get_ids_of_their_own_too() -> None:
    versions = ({"a": "1"}, {"n": "1"}, {"a": "1", "n": "2"})
    base, mine, theirs = (
        parse(
            json.dumps(
                {"evaluations": [{**CES, "displayName": name, "tags": [tag]} for name, tag in one.items()]}
            ).encode(),
            Path("x.json"),
        )
        for one in versions
    )
    value = merging.merged(compared(base, mine, theirs, FORMAT_OF["ces-evaluation"])).value
    assert [resolve(value, f"/evaluations/{at}/displayName") for at in (0, 1)] == ["n (2)", "n"]
