"""Labels of sentences in the window: the mark of the answer, its cell, the problem list and the filter."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.models.stories import GOLDENS, TRACES, begin, golden, judge, judged, put, rows_of, trace, turn
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.verdict import MetricVerdict, RunVerdict, Sentence, SentenceSupport, Status
from trace_inspector.models.evaluation.marks import mark_of
from trace_inspector.models.evaluation.problems import of_case
from trace_inspector.models.evaluation.score_cells import cell_of
from trace_inspector.models.search.filter_language import FilterError, parse
from trace_inspector.models.search.row_filter import RowFilter
from trace_inspector.models.search.row_terms import RowVerdicts
from trace_inspector.models.search.verdict_column import VerdictColumn
from trace_inspector.models.workspace.workspace import Workspace

YES, NO, OPPOSITE = SentenceSupport.SUPPORTED, SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY
NOTHING, UNKNOWN = SentenceSupport.NOT_APPLICABLE, SentenceSupport.CANNOT_TELL
SUPPORT = "local_grounding"


def with_labels(run: RunVerdict, *labels: SentenceSupport, decided: bool, metric: str = SUPPORT) -> RunVerdict:
    """The run as if the one answer had sentences with these labels, and another criterion decided about it or not."""
    sentences = tuple(Sentence(number, number + 1, label, f"Why {number}.") for number, label in enumerate(labels))
    answer = MetricVerdict("response_match_score", 1.0, Status.PASSED, 0.5)
    support = MetricVerdict(metric, 0.5, Status.INFORMATIONAL, sentences=sentences)
    (case,) = run.cases
    (only,) = case.turns
    return replace(
        run, cases=(replace(case, turns=(replace(only, metrics=(*((answer,) if decided else ()), support)),)),)
    )


@pytest.mark.parametrize(
    ("labels", "decided", "mark", "cell", "problems"),
    [
        ((YES, UNKNOWN), False, "unknown", "1 of 1", []),
        ((YES, UNKNOWN), True, "passed", "1 of 1", []),
        ((YES, NOTHING), False, "", "1 of 1", []),
        (
            (YES, NO, UNKNOWN, UNKNOWN),
            True,
            "unsupported",
            "1 of 2",
            [("unsupported", "1 of 4 sentences unsupported, 2 cannot be told: Why 1.")],
        ),
        (
            (NO, OPPOSITE, NO),
            False,
            "no",
            "0 of 3",
            [
                ("no", "1 of 3 sentences contradictory: Why 1."),
                ("unsupported", "2 of 3 sentences unsupported: Why 0. (and 1 more)"),
            ],
        ),
    ],
)
def test_what_cannot_be_told_is_neither_good_nor_bad(
    labels: tuple[SentenceSupport, ...],
    decided: bool,
    mark: str,
    cell: str,
    problems: list[tuple[str, str]],
    workspace: Workspace,
) -> None:
    traces = [trace("a", turn(0, "one?"))]
    file = put(workspace, TRACES, *traces)
    expected = golden(("a", (turn(0, "one?"),)))
    put(workspace, GOLDENS, expected)
    run = begin(workspace, ("response_match_score", SUPPORT))
    verdict = with_labels(judged(traces, [expected]), *labels, decided=decided)
    judge(workspace, run, verdict)
    (answer,) = rows_of(file.table, Kind.ANSWER)
    assert mark_of(file, answer, run) == mark
    assert cell_of(run.on(file), answer, Kind.ANSWER, run.metric(SUPPORT)).text == cell
    listed = of_case(verdict.cases[0], line_of=run.metric, file=file, top=0)
    assert [(one.mark, one.sentence) for one in listed if one.criterion == SUPPORT] == problems
    terms = parse("verdict:cannot_tell")
    assert not isinstance(terms, FilterError)
    found = RowFilter(terms, file.table, RowVerdicts(VerdictColumn(file, lambda: run).numbers))
    found.advance(len(file.table))
    assert bool(found.matches[answer]) is (mark == "unknown")
