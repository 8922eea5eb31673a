"""`junit`: the run as JUnit XML, as build servers read it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import groupby

from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.reports.report import case_names, score_text, why
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.reports.visible_text import visible

# What a status is called there; a passed case has no element.
_ELEMENT = {
    Status.FAILED: "failure",
    Status.ERROR: "error",
    Status.NOT_EVALUATED: "skipped",
    Status.SKIPPED: "skipped",
    Status.PENDING: "skipped",
    Status.INFORMATIONAL: "skipped",
}


def write(run: RunVerdict, _sources: Sources) -> str:
    """One suite for each suite, one test for each case and trace."""
    root = ET.Element("testsuites", {"name": "Trace Inspector", **_counts(run.cases)})
    by_suite = sorted(zip(run.cases, case_names(run.cases), strict=True), key=lambda named: named[0].suite_id)
    for suite_id, grouped in groupby(by_suite, key=lambda named: named[0].suite_id):
        cases = tuple(grouped)
        counts = _counts([case for case, _name in cases])
        suite = ET.SubElement(root, "testsuite", {"name": visible(suite_id or "traces"), **counts})
        for case, name in cases:
            _case(suite, case, name)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _counts(cases: Sequence[CaseVerdict]) -> dict[str, str]:
    kinds = [_ELEMENT.get(case.status, "") for case in cases]
    return {
        "tests": str(len(cases)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
    }


def _case(suite: ET.Element, case: CaseVerdict, name: str) -> None:
    test = ET.SubElement(suite, "testcase", {"classname": visible(case.suite_id or "traces"), "name": visible(name)})
    if case.golden_path:
        test.set("file", visible(case.golden_path))
    kind = _ELEMENT.get(case.status)
    sentences = why(case)
    if kind:
        message = next(iter([*sentences, *case.hides]), "nothing was decided")
        ET.SubElement(test, kind, {"message": visible(message), "type": case.status.value}).text = visible(
            "\n".join(sentences)
        )
    lines = [_metric(verdict) for verdict in case.metrics]
    ET.SubElement(test, "system-out").text = visible("\n".join([*lines, *case.hides]))


def _metric(verdict: MetricVerdict) -> str:
    against = f" against {verdict.threshold:g}" if verdict.threshold is not None else ""
    return f"{verdict.status.value} {verdict.full_name} {score_text(verdict)}{against}"
