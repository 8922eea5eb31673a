"""A problem of what has no row in the file is called by its id: the trace's, else the golden's."""

from __future__ import annotations

from pathlib import Path

import pytest

from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.evaluation.problems import of_case
from trace_inspector.work.runs.evaluating import MetricLine


def unasked(metric: str) -> MetricLine:
    raise AssertionError(metric)


@pytest.mark.parametrize(("trace_id", "name"), [("t1", "t1"), (None, "c1")])
def test_it_is_called_by_the_id_that_there_is(trace_id: str | None, name: str) -> None:
    verdict = CaseVerdict("c1", "set", trace_id, Status.ERROR, reason="no trace")
    (problem,) = of_case(verdict, line_of=unasked, file=OpenFile(1, Path("x.json")), top=TOP)
    assert (problem.where, problem.sentence, problem.id) == (name, "no trace", "")
