"""A format that overrides nothing refuses every change with a sentence, but not to ask for nothing."""

from __future__ import annotations

from typing import get_args

import pytest

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case, Scenario, Session
from trace_inspector.core.golden.golden_change import (
    Answers,
    BeginsWith,
    Calls,
    Described,
    EndsWith,
    ExpectationWithMatchers,
    Expected,
    GoldenChange,
    HandsOver,
    Judged,
    Named,
    Noted,
    Results,
    Rubrics,
    Simulated,
    Tagged,
    Titled,
    Turns,
    UserGives,
    UserSays,
)
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.case_editor import CaseEditor

RAW: JsonObject = {"id": "c"}
CASE = Case("c", "s", turns=(Turn(0, place="/turn"),))
CHANGES: list[GoldenChange] = [
    UserSays("/turn", "Hello"),
    UserGives("/turn", ()),
    Answers("/turn", "Hello"),
    Calls("/turn", ()),
    Results("/turn", ()),
    HandsOver("/turn", ("desk",)),
    Expected("/turn", (ExpectationWithMatchers(Expectation(Expects.CRITERION)),)),
    Judged("", (Criterion("a"),)),
    Rubrics("", ()),
    Turns(()),
    Named("d"),
    Titled("Other"),
    Described("About"),
    Tagged(("a",)),
    BeginsWith(Session()),
    EndsWith({}),
    Simulated(Scenario("", "")),
    Noted("", "Note"),
]
NOTHING: list[GoldenChange] = [
    Expected("/turn", ()),
    Judged("", ()),
    Titled("c"),
    Described(""),
    BeginsWith(None),
    EndsWith(None),
]


def edited(change: GoldenChange) -> JsonObject:
    return CaseEditor(CaseDraft(CASE, RAW)).changed(change)


def test_each_kind_of_change_is_among_these() -> None:
    assert {type(change) for change in CHANGES} == set(get_args(GoldenChange))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_what_a_format_does_not_support_is_refused_with_what_to_do(change: GoldenChange) -> None:
    with pytest.raises(EditError, match=r"^(This format|A case of this format) .*\. [A-Z].*\.$"):
        edited(change)


@pytest.mark.parametrize("change", NOTHING, ids=lambda change: type(change).__name__)
def test_asking_for_nothing_changes_nothing(change: GoldenChange) -> None:
    assert edited(change) is RAW
