"""What is told of one compared case: its group, what changed, its scores."""

from __future__ import annotations

import html
import json
import re

import pytest

from tests.helpers.tables import each
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict
from trace_inspector.engine.run_comparison import as_html, as_json, as_markdown
from trace_inspector.engine.run_comparison.case_text import (
    group_of,
    scores_of,
    status_of,
    verdicts_words,
    what_changed,
)
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.engine.run_comparison.compared_case import ComparedCase
from trace_inspector.engine.run_comparison.compared_runs import compare_runs
from trace_inspector.engine.run_comparison.comparison import RunsCompared

P, F, N = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED


def verdict(status: Status, score: float | None = None, reason: str = "") -> CaseVerdict:
    metric = MetricVerdict("m", score, status, 0.5, reason)
    return CaseVerdict("c", "s", "t", status, (metric,), (TurnVerdict(1, 1, status, (metric,)),))


def case(base: list[CaseVerdict], new: list[CaseVerdict]) -> ComparedCase:
    (found,) = compare_runs(base, new).cases
    return found


@each(
    ("base", "new", "group"),
    [
        ([verdict(P, 1.0)], [verdict(F, 0.2)], Group.REGRESSED),
        ([verdict(F, 0.2)], [verdict(P, 1.0)], Group.IMPROVED),
        ([verdict(F, 0.4)], [verdict(F, 0.2)], Group.WORSE),
        ([verdict(F, 0.2)], [verdict(F, 0.4)], Group.UNCHANGED),
        ([verdict(P, 1.0)], [verdict(P, 0.6)], Group.UNCHANGED),
        ([], [verdict(P, 1.0)], Group.NEW),
        ([verdict(P, 1.0)], [], Group.GONE),
        ([verdict(N)], [verdict(P, 1.0)], Group.NOT_COMPARABLE),
        ([verdict(N)], [verdict(N)], Group.NOT_COMPARABLE),
    ],
    ids=["regressed", "improved", "worse", "fails-better", "passes-lower", "new", "gone", "open-before", "open-both"],
)
def test_each_case_lies_in_one_group(base: list[CaseVerdict], new: list[CaseVerdict], group: Group) -> None:
    assert group_of(case(base, new)) is group


@pytest.mark.parametrize(
    ("name", "status", "before", "after", "group"),
    [
        ("m", F, 0.4, 0.4 - 1e-15, Group.UNCHANGED),
        ("m", Status.INFORMATIONAL, 0.4, 0.2, Group.UNCHANGED),
        ("tool_call_count_v1", F, 9.0, 4.0, Group.UNCHANGED),
        ("tool_call_count_v1", F, 4.0, 9.0, Group.WORSE),
        ("tool_call_count_v1", Status.INFORMATIONAL, 4.0, 9.0, Group.UNCHANGED),
    ],
    ids=["rounding", "informs", "fewer-is-better", "more-is-worse", "more-informs"],
)
def test_what_makes_a_failing_case_worse(
    name: str, status: Status, before: float, after: float, group: Group
) -> None:
    def failing(score: float) -> CaseVerdict:
        decides, other = MetricVerdict("d", 0.0, F, 0.5), MetricVerdict(name, score, status, 0.5)
        return CaseVerdict("c", "s", "t", F, (decides, other))

    assert group_of(case([failing(before)], [failing(after)])) is group


@each(
    ("base", "new", "words"),
    [
        ([verdict(P, 1.0)], [verdict(F, 0.2, "city differs")], "Turn 2: city differs (m)"),
        ([verdict(P, 1.0)], [verdict(F, 0.2)], "Turn 2: m 0.20, needs 0.5"),
        ([verdict(F, 0.2, "city differs")], [verdict(P, 1.0)], "No longer: Turn 2: city differs (m)"),
        ([verdict(F, 0.2, "no call")], [verdict(F, 0.2, "no call")], "Same: Turn 2: no call (m)"),
        ([verdict(F, 0.2, "no call")], [verdict(F, 0.2, "two calls")], "Turn 2: two calls (m)"),
        ([verdict(P, 1.0)], [verdict(P, 1.0)], ""),
        ([verdict(N)], [verdict(P, 1.0)], "In the baseline it is not evaluated"),
        ([], [verdict(N)], "First run of this case, not decided"),
        ([verdict(P, 1.0)], [], "It was not judged in the candidate"),
    ],
    ids=["reason", "score", "improved", "same", "another", "passing", "open", "new-open", "gone"],
)
def test_what_changed_in_words(base: list[CaseVerdict], new: list[CaseVerdict], words: str) -> None:
    assert what_changed(case(base, new)) == words


def test_repeats_are_told_as_shares_and_never_as_better_than_the_worst() -> None:
    mixed = case([verdict(P, 1.0), verdict(P, 1.0)], [verdict(P, 1.0), verdict(F, 0.0)])
    assert (status_of(mixed.base), status_of(mixed.new), status_of(())) == (P, F, None)
    assert what_changed(mixed).startswith("Turn 2: m 0.00, needs 0.5; 2 of 2 passed")
    assert scores_of(mixed, "m") == (1.0, 0.5)


@each(
    ("base", "new", "words"),
    [
        ([verdict(P)] * 3, [verdict(F, 0, "a"), verdict(F, 0, "b"), verdict(F, 0, "b")], "Turn 2: b (m); 3 of 3"),
        ([verdict(F, 0, "a")] * 2, [verdict(P), verdict(F, 0, "a")], "Still: Turn 2: a (m); 0 of 2"),
        ([verdict(P), verdict(F, 0, "a")], [verdict(P)] * 2, "No longer: Turn 2: a (m); 1 of 2"),
        ([verdict(P), verdict(F, 0, "a")], [verdict(F, 0, "a"), verdict(P)], "Same: Turn 2: a (m); 1 of 2"),
        ([verdict(P)], [verdict(F, 0, "a"), verdict(P)], "Turn 2: a (m); 1 of 1"),
        ([], [verdict(P), verdict(F, 0, "a")], "First run of this case; Turn 2: a (m)"),
    ],
    ids=["mostly", "still", "no-longer", "same", "once-before", "new"],
)
def test_of_repeats_is_told_what_fails_now(base: list[CaseVerdict], new: list[CaseVerdict], words: str) -> None:
    assert what_changed(case(base, new)).startswith(words)


def test_of_repeats_that_pass_as_before_nothing_is_told() -> None:
    assert what_changed(case([verdict(P)] * 2, [verdict(P)] * 3)) == ""


def test_scores_that_may_not_be_compared_are_none() -> None:
    assert scores_of(case([verdict(N)], [verdict(P, 1.0)]), "m") == (None, None)


def reports(base: list[CaseVerdict], new: list[CaseVerdict]) -> tuple[str, str, JsonObject]:
    compared = RunsCompared("b", "n", compare_runs(base, new), seconds=((1.5, 4.0),))
    told = json.loads(as_json.write(compared))["cases"][0]
    return as_html.write(compared), as_markdown.write(compared), told


def test_reports_say_what_became_of_a_case_and_why() -> None:
    page, text, told = reports([verdict(P, 1.0)], [verdict(F, 0.25, "<i>city</i> `differs`")])
    cells = re.findall(r"<td>(.*?)</td>", page)
    assert [html.unescape(re.sub("<[^>]*>", "", cell)) for cell in cells] == [
        "regressed",
        "c",
        "passed → failed",
        "Turn 2: <i>city</i> `differs` (m)",
        "m 1 → 0.25 (-0.75)",
        "1.5 s → 4 s a turn",
    ]
    assert "<i>" not in page
    said = "passed → failed; Turn 2: <i>city</i> `differs` (m); m 1 → 0.25 (-0.75); 1.5 s → 4 s a turn"
    assert f"- **regressed** `c`: ``{said}``\n" in text
    assert (told["what"], told["scores"]) == (
        "Turn 2: <i>city</i> `differs` (m)",
        [{"metric": "m", "base": 1.0, "new": 0.25, "change": -0.75}],
    )
    assert told["base"] == {"runs": 1, "decided": 1, "passed": 1, "status": "PASSED", "turn_seconds": 1.5}
    assert told["new"] == {"runs": 1, "decided": 1, "passed": 0, "status": "FAILED", "turn_seconds": 4.0}


def test_verdicts_of_repeats_say_how_many_passed() -> None:
    mixed = case([verdict(P, 1.0), verdict(F, 0.0), verdict(N)], [verdict(F, 0.0)] * 2)
    assert verdicts_words(mixed) == "failed (1 of 2 passed) → failed (0 of 2 passed)"
    assert verdicts_words(case([], [verdict(P, 1.0)])) == "passed"


def test_reports_make_up_no_figures_of_what_may_not_be_compared() -> None:
    page, text, told = reports([verdict(N)], [verdict(P, 1.0)])
    assert "In the baseline it is not evaluated" in page
    assert "`not evaluated → passed; In the baseline it is not evaluated; 1.5 s → 4 s a turn`" in text
    assert told["scores"] == []
