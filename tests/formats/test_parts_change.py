"""A list of parts in another order or with others, beside items that show nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import Media, Part, Text, ToolResult
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.content import parts_of
from trace_inspector.formats.common.fields import camel
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.parts_change import changed_parts, changed_result

A: Json = {"text": "a", "own": 1}
B: Json = {"text": "b"}
ODD: tuple[Json, ...] = ("odd", 1, [2])
LISTED: list[Json] = [ODD[0], A, ODD[1], B, ODD[2]]
SAID = (Text("a", "/parts/1/text"), Text("b", "/parts/3/text"))


def changed(wanted: Sequence[Part], stated: Sequence[Part] = SAID, around: str = "/parts") -> list[Json]:
    draft = CaseDraft(Case("c", "s"), {"parts": LISTED})
    return changed_parts(draft, around, stated, wanted, camel)


def test_what_shows_nothing_goes_with_what_it_stands_behind() -> None:
    assert changed(SAID) == LISTED
    assert changed(SAID[::-1]) == [ODD[0], B, ODD[2], A, ODD[1]]
    assert changed(SAID[1:]) == [ODD[0], B, ODD[2]]


def test_what_is_not_changed_is_the_very_same() -> None:
    assert changed(SAID)[1] is A
    assert changed([Text("new", SAID[0].place)])[1] == {"text": "new", "own": 1}


def test_a_part_that_comes_in_has_keys_as_the_file_spells_them() -> None:
    file = Media("image/png", uri="gs://b/a.png")
    assert changed([*SAID, file])[-1] == {"fileData": {"fileUri": "gs://b/a.png", "mimeType": "image/png"}}


@pytest.mark.parametrize(
    ("stated", "around"),
    [((SAID[0], Text("too", "/parts/1/other")), "/parts"), (SAID, "/elsewhere")],
    ids=("two in one part", "in another list"),
)
def test_parts_that_cannot_be_told_apart_are_refused(stated: Sequence[Part], around: str) -> None:
    with pytest.raises(EditError, match="Change them in Raw"):
        changed(stated, stated, around)


def test_a_part_twice_is_refused() -> None:
    with pytest.raises(EditError, match="given twice"):
        changed([SAID[0], SAID[0]])


@pytest.mark.parametrize(
    ("raw", "value", "then"),
    [
        (
            {"id": "c", "name": "t", "response": {"a": 1}},
            "yes",
            {"id": "c", "name": "t", "response": {"result": "yes"}},
        ),
        ({"id": "c", "name": "t", "response": {"a": 1}}, None, {"id": "c", "name": "t", "response": None}),
        ({"id": "c", "name": "t"}, {"a": 2}, {"id": "c", "name": "t", "response": {"a": 2}}),
    ],
)
def test_another_result_stands_as_an_object(raw: Json, value: Json, then: Json) -> None:
    (old,) = parts_of({"parts": [{"functionResponse": raw}]}, "")
    assert isinstance(old, ToolResult)
    draft = CaseDraft(Case("c", "s"), {"r": raw})
    assert changed_result(draft.fields("/r"), ToolResult("t", value, "c"), old) == then


def test_a_result_may_lose_its_id() -> None:
    draft = CaseDraft(Case("c", "s"), {"r": {"id": "c", "name": "t", "response": {}}})
    assert changed_result(draft.fields("/r"), ToolResult("t", {}), ToolResult("t", {}, "c")) == {
        "name": "t",
        "response": {},
    }
