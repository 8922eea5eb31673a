"""Reports of real files: what the files themselves say, and where goldens stand in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.helpers.eval_sets import call, case, turn, write_eval_set
from trace_inspector.core.errors import SaveError, UsageError
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS, RequestedReport, requested_reports
from trace_inspector.flows.runs.save_reports import save_report


def written(kind: str, request: Request, folder: Path) -> str:
    """The report of one evaluation."""
    path = folder / f"report.{kind}"
    save_report(RequestedReport(kind, path), evaluate(request), request)
    return path.read_text(encoding="utf-8")


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    return write_eval_set(tmp_path / "g.json", case("c", turn("q", "a", [call("f", x=1)])))


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    return write_eval_set(tmp_path / "t.json", case("c", turn("q", "a", [call("f", x=2)])))


def test_a_result_file_says_what_it_reported_beside_what_is_computed_now(
    golden: Path, failing: Path, tmp_path: Path
) -> None:
    first = written("adk", Request(open_given([failing]), open_given([golden])), tmp_path)
    result = json.loads(first)
    result["eval_case_results"][0]["traceInspector"]["status"] = "PASSED"
    result["eval_case_results"][0]["final_eval_status"] = 1
    row = result["eval_case_results"][0]["eval_metric_result_per_invocation"][0]
    row["eval_metric_results"][0]["score"] = 0.4375
    path = tmp_path / "r.evalset_result.json"
    path.write_text(json.dumps(result), encoding="utf-8")
    page = written("html", Request(open_given([path])), tmp_path)
    assert 'its file reports <span class="mark PASSED">✓ passed</span>' in page
    assert '<span class="mark FAILED">✗ failed</span>' in page
    assert "0.44" in page


@pytest.mark.parametrize("change", ["gone", "broken", "packed", "other", "moved"])
def test_a_golden_that_has_no_lines_now_is_named_without_one(
    change: str, golden: Path, failing: Path, tmp_path: Path
) -> None:
    request = Request(open_given([failing]), open_given([golden]))
    assert ",line=1,col=" in written("github", request, tmp_path)
    data = golden.read_bytes()
    golden.unlink()
    if change != "gone":
        now = {"broken": b"\xff", "packed": gzip.compress(data), "other": b"[]", "moved": b"\n" + data}
        golden.write_bytes(now[change])
    first = written("github", request, tmp_path).splitlines()[0]
    assert first.startswith("::error file=")
    assert "line=" not in first


@pytest.mark.parametrize("wrong", ["html", "html=", "=x", "pdf=x", "github=-"])
def test_a_report_that_is_not_understood_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError):
        requested_reports([wrong], RUN_REPORTS, "a run")


def test_a_link_that_leads_in_a_circle_and_a_name_that_is_none_are_refused_in_a_sentence(
    golden: Path, failing: Path, tmp_path: Path
) -> None:
    request = Request(open_given([failing]), open_given([golden]))
    circle = tmp_path / "circle.html"
    circle.symlink_to(circle)
    for path, sentence in ((circle, "leads in a circle"), (tmp_path / "a\0b", "No file can have this name")):
        (wanted,) = requested_reports([f"html={path}"], RUN_REPORTS, "a run")
        with pytest.raises(SaveError, match=sentence):
            save_report(wanted, evaluate(request), request)


def test_every_kind_can_be_wanted() -> None:
    wanted = requested_reports([f"{kind}={kind}" for kind in RUN_REPORTS], RUN_REPORTS, "a run")
    assert [one.kind for one in wanted] == list(RUN_REPORTS)


def test_no_report_takes_the_place_of_another() -> None:
    with pytest.raises(UsageError, match="Two reports"):
        requested_reports(["html=report", "csv=./report"], RUN_REPORTS, "a run")


def test_no_report_takes_the_place_of_what_was_evaluated(golden: Path, failing: Path, tmp_path: Path) -> None:
    request = Request(open_given([failing]), open_given([golden]))
    before = golden.read_bytes()
    with pytest.raises(SaveError, match="is one of those evaluated or compared"):
        save_report(RequestedReport("csv", tmp_path / "x" / ".." / golden.name), evaluate(request), request)
    assert golden.read_bytes() == before
