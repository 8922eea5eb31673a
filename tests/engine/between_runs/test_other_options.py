"""Options of criteria: what makes another criterion, what does not, and how it is told."""

from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Overruled, Status, TurnVerdict
from trace_inspector.engine.run_comparison.extra_turns import extra_turns_in, why_other_turns
from trace_inspector.engine.run_comparison.other_options import OtherOptions

P, F, N = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED
CALLS, ANSWER, RUBRICS = "tool_trajectory_avg_score", "final_response_match_v2", "vertex_rubrics"


def judged(metric: str, status: Status = P) -> CaseVerdict:
    return CaseVerdict("a", "s", "t", status, (MetricVerdict(metric, 1.0, status, 0.5),))


def judge(**options: Json) -> JsonObject:
    return {"judge_model_options": options}


def matched(name: str) -> JsonObject:
    return {"match_type": name}


def rubrics(*texts: str) -> JsonObject:
    return {"rubrics": [{"rubric_id": "r", "rubric_content": {"text_property": text}} for text in texts]}


@each(
    ("metric", "before", "after", "why"),
    [
        (CALLS, {"match_type": "ANY_ORDER"}, {"match_type": "EXACT"},
         f"another {CALLS}: match_type ANY_ORDER and EXACT"),
        (CALLS, {"match_type": "any-order"}, {"matchType": 2}, ""),
        (CALLS, {}, {"match_type": "EXACT", "ignore_args": False}, ""),
        (CALLS, {}, {"ignore_args": True}, f"another {CALLS}: ignore_args off and on"),
        (CALLS, {"unheard_of": 1}, {"unheard_of": 2}, ""),
        ("trajectory_match", {}, {"match_type": "IN_ORDER"},
         "another trajectory_match: match_type EXACT and IN_ORDER"),
        (ANSWER, judge(judge_model="one"), {"judgeModelOptions": {"judgeModel": "two"}},
         f"another {ANSWER}: judge_model one and two"),
        (ANSWER, judge(num_samples=5, parallelism_limit=1), judge(num_samples=3, parallelism_limit=9), ""),
        (ANSWER, judge(judge_model_config={"temperature": 0}), judge(judge_model_config={"temperature": 1}),
         f"another {ANSWER}: other judge_model_config"),
        (RUBRICS, rubrics("It sells."), rubrics("It buys."), f"another {RUBRICS}: other rubrics"),
        (RUBRICS, rubrics("It sells."), rubrics("It sells."), ""),
        ("response_match_score", {"anything": 1}, {}, ""),
        ("one_of_ours", {"limit": 1}, {"limit": 2}, "another one_of_ours: other limit"),
        ("one_of_ours", {"limit": float("nan")}, {"limit": float("nan")}, ""),
        ("one_of_ours", {"a": 1, "b": 1, "c": 1, "d": 1}, {},
         "another one_of_ours: other a, other b, other c, 1 more"),
        # What the metric itself refuses is held against the other as it stands.
        (CALLS, {"match_type": "sideways"}, {"match_type": "EXACT"},
         f"another {CALLS}: other match_type"),
    ],
)  # fmt: skip
def test_what_makes_another_criterion(metric: str, before: JsonObject, after: JsonObject, why: str) -> None:
    told = OtherOptions({metric: [before]}, {metric: [after]})
    assert told.why_apart(judged(metric), judged(metric, F)) == why
    assert told.why_apart(judged(metric, Status.INFORMATIONAL), judged(metric, Status.INFORMATIONAL)) == ""
    assert OtherOptions({metric: [before]}, {}).why_apart(judged(metric), judged(metric)) == ""


def test_matchers_of_a_golden_have_the_options_of_the_criterion_they_stand_for() -> None:
    exact, any_order = map(matched, ("EXACT", "ANY_ORDER"))
    one = judged("trajectory_match")
    told = OtherOptions({CALLS: [exact]}, {CALLS: [any_order]})
    assert told.why_apart(one, one) == "another trajectory_match: match_type EXACT and ANY_ORDER"


def test_of_several_golden_files_one_criterion_that_both_runs_have_is_enough() -> None:
    exact, any_order, in_order = map(matched, ("EXACT", "ANY_ORDER", "IN_ORDER"))
    one = judged(CALLS)
    assert OtherOptions({CALLS: [exact, any_order]}, {CALLS: [any_order]}).why_apart(one, one) == ""
    assert OtherOptions({CALLS: [exact, any_order]}, {CALLS: [in_order]}).why_apart(one, one) != ""


def test_another_number_of_votes_is_noted() -> None:
    before, after = ({ANSWER: [judge(num_samples=count)]} for count in (5, 3))
    said = f"{ANSWER} was judged by 5 votes in the baseline and 3 in the candidate."
    assert list(OtherOptions(before, after).notes()) == [said]
    assert list(OtherOptions(before, before).notes()) == []


def extra(status: Status, *metrics: MetricVerdict, overruled: Overruled | None = None) -> CaseVerdict:
    turn = TurnVerdict(1, None, status, metrics, overruled=overruled)
    return CaseVerdict("a", "s", "t", status, turns=(TurnVerdict(0, 0, P), turn), extra_turns=(1,))


FAILING = MetricVerdict("m", 0.0, F, 0.5)
PLAIN = CaseVerdict("a", "s", "t", P, turns=(TurnVerdict(0, 0, P),))


@each(
    ("cases", "configuration", "told"),
    [
        ([PLAIN, extra(F)], {}, "fail"),
        ([PLAIN, extra(N)], {}, "are allowed"),
        ([extra(P, overruled=Overruled(F))], {}, "fail"),
        ([extra(F, FAILING)], {}, ""),
        ([PLAIN], {}, ""),
        ([PLAIN], {"extra_turns_fail": True, "rules": ""}, "fail"),
        ([PLAIN], {"extra_turns_fail": False, "rules": ""}, "are allowed"),
        ([PLAIN], {"extra_turns_fail": True, "rules": "adk"}, "are allowed"),
    ],
)
def test_what_becomes_of_extra_turns(cases: list[CaseVerdict], configuration: JsonObject, told: str) -> None:
    assert extra_turns_in(cases, configuration) == told


def test_extra_turns_keep_only_cases_apart_that_have_any() -> None:
    fail, allowed = "fail", "are allowed"
    said = "extra turns fail in the baseline and are allowed in the candidate"
    assert why_other_turns(extra(F), PLAIN, fail, allowed) == why_other_turns(PLAIN, extra(N), fail, allowed) == said
    assert why_other_turns(PLAIN, PLAIN, fail, allowed) == why_other_turns(extra(F), extra(F), fail, fail) == ""
    assert why_other_turns(extra(F), extra(F), "", allowed) == ""
