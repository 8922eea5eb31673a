"""Results of Vertex's SDK: scores join cases by index, and summaries are held against the scores."""

from __future__ import annotations

import pytest

from tests.formats import vertex_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.formats import recognise
from trace_inspector.formats.vertex.common.content import MOST_MEMBERS


def result_of(*candidates: JsonObject, index: Json = 0) -> JsonObject:
    """One case result."""
    return {"eval_case_index": index, "response_candidate_results": [*candidates]}


def test_scores_join_their_cases_by_index() -> None:
    contents = opened(made.eval_result(), "grades.json")
    assert contents.format == "vertex-result"
    assert [case.id for case in contents.suites[0].cases] == ["seat", "told"]
    assert [(trace.id, trace.suite_id) for trace in contents.traces] == [("told", "grades"), ("seat", "grades")]
    first, second = contents.reported
    assert [(metric.metric, metric.score, metric.status, metric.reason) for metric in first.metrics] == [
        ("tone", 1.0, Status.INFORMATIONAL, "Because."),
        ("depth", 11.0, Status.INFORMATIONAL, "Because."),
    ]
    assert {metric.provenance for metric in first.metrics} == {Provenance.REPORTED}
    assert first.golden_place == "/evaluation_dataset/0/eval_cases/1"
    assert first.trace_place == "/evaluation_dataset/0/eval_cases/1/agent_data"
    assert second.trace_id == "seat"


def test_each_dataset_counts_as_a_response_whether_it_has_one_or_not() -> None:
    """As `merge_evaluation_datasets` of the SDK counts; cases join by their index, whatever they are called."""
    datasets: list[Json] = [
        made.dataset(made.eval_case(responses=None)),
        made.dataset(made.eval_case("other", responses=[{"response": made.said("Yes.")}])),
    ]
    results = result_of(made.scored(tone=0.25), {**made.scored(tone=0.75), "response_index": 1})
    contents = opened(
        made.eval_result(eval_case_results=[results], evaluation_dataset=datasets, summary_metrics=None)
    )
    answers = [[answer_text(turn) for turn in trace.turns] for trace in contents.traces]
    assert answers == [[], ["Yes."]]
    assert [(one.case_id, one.metrics[0].score, one.trace_place) for one in contents.reported] == [
        ("seat", 0.25, "/eval_case_results/0/response_candidate_results/0"),
        ("seat", 0.75, "/evaluation_dataset/1/eval_cases/0/responses/0/response"),
    ]
    assert {trace.case_id for trace in contents.traces} == {"seat"}


def test_a_candidate_keeps_its_name_beside_one_without() -> None:
    """Also where it is the only one of its case."""
    datasets: list[Json] = [made.dataset(made.eval_case()), made.dataset(made.eval_case(), candidate_name="large")]
    results = [result_of(made.scored(tone=0.25), {**made.scored(tone=0.75), "response_index": 1})]
    contents = opened(
        made.eval_result(eval_case_results=[*results], evaluation_dataset=datasets, summary_metrics=None)
    )
    assert [verdict.candidate for verdict in contents.reported] == ["1", "large"]
    datasets[0] = made.dataset(made.eval_case(responses=None))
    alone = result_of({**made.scored(tone=0.75), "response_index": 1})
    contents = opened(made.eval_result(eval_case_results=[alone], evaluation_dataset=datasets, summary_metrics=None))
    assert [(verdict.candidate, verdict.trace_id) for verdict in contents.reported] == [("large", "seat")]
    unjudged = opened(made.eval_result(eval_case_results=[], evaluation_dataset=datasets, summary_metrics=None))
    assert [trace.candidate for trace in unjudged.traces] == ["large"]


def test_a_score_of_null_with_a_message_is_an_error() -> None:
    verdict = opened(made.eval_result()).reported[1]
    assert [(metric.score, metric.status, metric.reason) for metric in verdict.metrics] == [
        (0.0, Status.INFORMATIONAL, "Because."),
        (None, Status.ERROR, "The judge is away."),
    ]
    assert verdict.status is Status.INFORMATIONAL


def test_a_case_is_an_error_when_no_judge_answered() -> None:
    failed: JsonObject = {"score": None, "error_message": "The judge is away."}
    contents = opened(made.eval_result(eval_case_results=[result_of(made.scored(tone=failed, depth=5))]))
    assert [metric.status for metric in contents.reported[0].metrics] == [Status.ERROR, Status.INFORMATIONAL]
    contents = opened(made.eval_result(eval_case_results=[result_of(made.scored(tone=failed))]))
    assert [verdict.status for verdict in contents.reported] == [Status.ERROR]


def test_a_score_beside_an_error_is_not_valid() -> None:
    failed: JsonObject = {"score": 3, "error_message": "Half done."}
    summary: JsonObject = {"metric_name": "tone", "num_cases_valid": 0}
    given: list[Json] = [result_of(made.scored(tone=failed))]
    assert codes(opened(made.eval_result(eval_case_results=given, summary_metrics=[summary]))) == ["other-scale"]


@each(
    ("summary", "differs"),
    [
        # B5 statistics: over all responses of all cases, here the scores 1, 0 and 0.
        ({"mean_score": 1 / 3, "stdev_score": 0.5773502691896258, "pass_rate": 1 / 3}, []),
        ({"num_cases_total": 3, "num_cases_valid": 3, "num_cases_error": 0}, []),
        ({"mean_score": 0.5}, ["/summary_metrics/0/mean_score"]),
        ({"stdev_score": 0.4714045207910317}, ["/summary_metrics/0/stdev_score"]),  # of all, not of a sample
        ({"pass_rate": 1.0}, ["/summary_metrics/0/pass_rate"]),
        ({"num_cases_error": 1}, ["/summary_metrics/0/num_cases_error"]),
        ({"num_cases_total": 2}, ["/summary_metrics/0/num_cases_total"]),
    ],
)
def test_a_summary_counts_all_responses(summary: JsonObject, differs: list[str]) -> None:
    result: JsonObject = {
        "eval_case_results": [
            result_of(made.scored(tone=1.0), {**made.scored(tone=0.0), "response_index": 1}),
            {**result_of(made.scored(tone=0.0)), "eval_case_index": 1},
        ],
        "summary_metrics": [{"metric_name": "tone", **summary}],
    }
    assert [found.pointer for found in opened(result).findings if found.code == "summary-differs"] == differs


@each(
    ("rates", "differs"),
    [
        # B5 win rates: the first case is won by the first response, the second by the lone one.
        ({"win_rates": [1.0, 0.0], "tie_rate": 0.0}, False),
        ({"win_rates": [0.5, 0.0], "tie_rate": 0.5}, True),
        ({"win_rates": [1.0], "tie_rate": 0.0}, True),
        ({"tie_rate": 0.0}, False),
        ({"win_rates": [None, 0.0]}, True),
    ],
)
def test_win_rates_are_counted_again(rates: JsonObject, differs: bool) -> None:
    result: JsonObject = {
        "eval_case_results": [
            result_of(made.scored(tone=1.0), {**made.scored(tone=0.0), "response_index": 1}),
            {**result_of(made.scored(tone=0.0)), "eval_case_index": 1},
        ],
        "win_rates": {"tone": rates},
    }
    found = [one.pointer for one in opened(result).findings if one.code == "summary-differs"]
    assert found == (["/win_rates/tone"] if differs else [])


def test_a_result_of_nothing_is_one() -> None:
    contents = opened({"eval_case_results": [], "summary_metrics": []})
    assert (contents.format, contents.traces, codes(contents)) == ("vertex-result", (), [])


def test_there_is_room_for_a_thousand_metrics() -> None:
    many = made.scored(**{f"m{number}": 1 for number in range(MOST_MEMBERS + 1)})
    contents = opened(made.eval_result(eval_case_results=[result_of(many)]))
    assert len(contents.reported[0].metrics) == MOST_MEMBERS
    assert codes(contents) == ["too-many-items"]


def test_a_scale_other_than_a_share_is_named() -> None:
    (finding,) = opened(made.eval_result()).findings
    assert (finding.code, finding.pointer) == ("other-scale", "/eval_case_results")
    assert "“depth” are 11 throughout" in finding.message


def test_responses_of_one_case_join_by_their_index() -> None:
    answers: list[Json] = [{"response": made.said(word)} for word in ("Yes.", "No.", "Perhaps.")]
    contents = opened(
        made.eval_result(
            eval_case_results=[result_of({**made.scored(tone=1), "response_index": 1}, made.scored(tone=0))],
            evaluation_dataset=[made.dataset(made.eval_case(responses=answers))],
            metadata={"candidate_names": ["old", "new"]},
        )
    )
    assert [(trace.id, answer_text(trace.turns[0])) for trace in contents.traces] == [
        ("seat (new)", "No."),
        ("seat (old)", "Yes."),
        ("seat (3)", "Perhaps."),
    ]
    assert [(one.trace_id, one.repeat, one.metrics[0].score) for one in contents.reported] == [
        ("seat (new)", 0, 1.0),
        ("seat (old)", 1, 0.0),
    ]
    assert codes(contents) == []


def test_each_candidate_may_have_a_dataset() -> None:
    datasets: list[Json] = [
        made.dataset(made.eval_case(responses=[{"response": made.said(name)}]), candidate_name=name)
        for name in ("old", "new")
    ]
    both = result_of(made.scored(tone=1), {**made.scored(tone=0), "response_index": 1})
    contents = opened(made.eval_result(eval_case_results=[both], evaluation_dataset=datasets))
    assert [(trace.id, answer_text(trace.turns[0])) for trace in contents.traces] == [
        ("seat (old)", "old"),
        ("seat (new)", "new"),
    ]
    assert len(contents.suites[0].cases) == 1


def test_cases_that_were_not_judged_are_shown() -> None:
    contents = opened(made.eval_result(eval_case_results=[result_of(made.scored(tone=0.5))]))
    assert [trace.id for trace in contents.traces] == ["seat", "told"]
    assert [verdict.trace_id for verdict in contents.reported] == ["seat"]


def test_what_is_no_case_counts_in_the_indexes() -> None:
    broken: JsonObject = {"eval_cases": [made.eval_case("zero"), 5, made.eval_case("two")]}
    contents = opened(
        made.eval_result(eval_case_results=[result_of(made.scored(tone=1), index=2)], evaluation_dataset=[broken])
    )
    assert [verdict.case_id for verdict in contents.reported] == ["two"]
    assert codes(contents)[0] == "not-an-object"


def test_without_a_dataset_the_scores_are_shown() -> None:
    contents = opened(made.eval_result(evaluation_dataset=None))
    assert [(trace.id, trace.turns) for trace in contents.traces] == [("case 2", ()), ("case 1", ())]
    assert len(contents.reported) == 2


@each(
    ("others", "found"),
    [
        ({"eval_case_results": [result_of(made.scored(x=1), index=9)]}, ["no-case"]),
        ({"eval_case_results": [result_of(made.scored(x=1), index=None)]}, ["no-index"]),
        ({"eval_case_results": [result_of(made.scored(x=1)), result_of(made.scored(x=1))]}, ["duplicate-id"]),
        ({"summary_metrics": [{"metric_name": "tone", "mean_score": 0.6}]}, ["summary-differs", "other-scale"]),
        ({"summary_metrics": [{"metric_name": "depth", "num_cases_valid": 2}]}, ["summary-differs", "other-scale"]),
        ({"summary_metrics": [{"metric_name": "absent", "mean_score": 1}]}, ["other-scale"]),
    ],
)
def test_what_does_not_fit_is_a_finding(others: JsonObject, found: list[str]) -> None:
    assert codes(opened(made.eval_result(**others))) == found


@pytest.mark.parametrize(
    "value",
    [{"eval_case_results": []}, {"eval_case_results": [{"eval_case_index": 0}]}, {"eval_case_results": {}}],
)
def test_what_only_looks_alike_is_no_result(value: Json) -> None:
    known = recognise(value)
    assert known is None or known.name != "vertex-result"
