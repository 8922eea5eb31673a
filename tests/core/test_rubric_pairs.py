"""Rubrics of a file and of a run are paired by their words, and by id where a side has none."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.verdict.rubric_pairs import rubric_pairs
from trace_inspector.core.verdict.verdict import RubricVerdict


def rubrics(*told: str) -> list[RubricVerdict]:
    """Each as "id=text"."""
    return [RubricVerdict(name, 1.0, text=text) for name, _equals, text in (one.partition("=") for one in told)]


@each(
    ("about", "reported", "recomputed", "pairs"),
    [
        ("ADK reports ids alone", ["a", "b"], ["b=Be brief.", "a=Be polite."], [("b", "b"), ("a", "a")]),
        (
            "CES has words alone, in another order",
            ["rubric 1=Is  Polite", "rubric 2=Is brief"],
            ["rubric 1=is brief", "rubric 2=Is polite"],
            [("rubric 2", "rubric 1"), ("rubric 1", "rubric 2")],
        ),
        (
            "other words are another rubric, whatever it is called",
            ["rubric 1=Is polite"],
            ["rubric 1=Is brief"],
            [(None, "rubric 1"), ("rubric 1", None)],
        ),
        ("an id that was the text", ["Is polite=Is polite"], ["rubric 1=Is polite"], [("Is polite", "rubric 1")]),
        ("the same words twice", ["x=Go", "y=Go"], ["p=Go", "q=Go", "r=Go"], [("x", "p"), ("y", "q"), (None, "r")]),
        ("nothing to go by", ["=", "="], ["="], [(None, ""), ("", None), ("", None)]),
        ("one side alone", ["a"], [], [("a", None)]),
    ],
)
def test_rubrics_find_each_other(
    about: str, reported: list[str], recomputed: list[str], pairs: list[tuple[str | None, str | None]]
) -> None:
    found = rubric_pairs(rubrics(*reported), rubrics(*recomputed))
    assert [(one.rubric_id if one else None, own.rubric_id if own else None) for one, own in found] == pairs, about
