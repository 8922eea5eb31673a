"""What `local_grounding` cannot tell, its sensitivity and its version, in all that commands write."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, Sentence, SentenceSupport
from trace_inspector.engine.grounding.decision.model import Sensitivity
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.text.sentences import Span
from trace_inspector.engine.metrics.local import local_grounding
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.flows.runs.store_run import list_runs, load_run

ANSWER = "Fact one.\nFact two.\nFact three.\nFact four.\nFact five.\nFact six."
LABELS = (
    SentenceSupport.SUPPORTED,
    SentenceSupport.UNSUPPORTED,
    SentenceSupport.NOT_APPLICABLE,
    SentenceSupport.CANNOT_TELL,
    SentenceSupport.CANNOT_TELL,
    SentenceSupport.SUPPORTED,
)
REASON = "1 of 6 sentences unsupported, 2 cannot be told"
APART = "scores of different versions of a metric are not comparable"
REPORTS = {"html": "page.html", "markdown": "run.md", "csv": "run.csv", "junit": "run.xml", "adk": "run.json"}


@pytest.fixture(autouse=True)
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Sensitivity]:
    """The labels of the six facts; gives the sensitivities that were asked for."""
    asked = []

    def judge_spans(
        answer: str, spans: Iterable[Span], _evidence: Evidence, sensitivity: Sensitivity
    ) -> list[Sentence]:
        asked.append(sensitivity)
        labels = LABELS if answer == ANSWER else (SentenceSupport.CANNOT_TELL,)
        return [
            Sentence(span.start, span.end, label, f"Why {number}.")
            for number, (span, label) in enumerate(zip(spans, labels, strict=True))
        ]

    monkeypatch.setattr(local_grounding, "judge_spans", judge_spans)
    return asked


def evaluate(folder: Path, criterion: JsonObject | None, *more: str, answer: str = ANSWER) -> int:
    turn: JsonObject = {
        "user_content": {"parts": [{"text": "What is so?"}]},
        "final_response": {"parts": [{"text": answer}]},
    }
    trace, criteria = folder / "trace.json", folder / "criteria.json"
    trace.write_text(json.dumps({"eval_set_id": "t", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}))
    criteria.write_text(json.dumps({"criteria": {"local_grounding": criterion}}))
    return main(["evaluate", str(trace), *(["--criteria", str(criteria)] if criterion else []), *more])


def labels_of(case: CaseVerdict) -> tuple[tuple[SentenceSupport, ...], int]:
    ((metric,),) = ([one for one in turn.metrics if one.metric == "local_grounding"] for turn in case.turns)
    return tuple(sentence.support for sentence in metric.sentences), metric.version


def test_every_report_says_what_cannot_be_told_and_by_which_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = {kind: tmp_path / name for kind, name in REPORTS.items()}
    asked = [part for kind, path in paths.items() for part in ("--report", f"{kind}={path}")]
    assert evaluate(tmp_path, {"threshold": 0.9}, "--json", *asked) == 1
    printed = json.loads(capsys.readouterr().out)
    (case,) = printed["cases"]
    (told,) = [one for one in case["turns"][0]["metrics"] if one["name"] == "local_grounding"]
    assert told["reason"] == f"{REASON}; unsupported: “Fact two.”"
    assert (told["score"], told["status"], told["version"]) == (0.75, "FAILED", 6)
    assert told["sentences"] == {"supported": 2, "unsupported": 1, "not_applicable": 1, "cannot_tell": 2}
    page = paths["html"].read_text()
    assert '<bdi class="cannot_tell"' in page
    assert "[cannot tell – " in page
    assert "Why 3." in page
    assert "local_grounding (version 6)" in page
    for kind in ("html", "markdown", "csv", "junit"):
        assert REASON in paths[kind].read_text(), kind
    assert "`local_grounding` is of version 6." in paths["markdown"].read_text()
    rows = list(csv.DictReader(io.StringIO(paths["csv"].read_text())))
    assert {row["metric_version"] for row in rows if row["metric"] == "local_grounding"} == {"6"}
    assert {row["metric_version"] for row in rows if row["metric"] != "local_grounding"} <= {"1", ""}
    assert "local_grounding (version 6) 0.75" in paths["junit"].read_text()
    contents = open_file(paths["adk"]).contents
    assert [finding.message for finding in contents.findings] == []
    assert [labels_of(one) for one in contents.reported] == [(LABELS, 6)]


def test_the_store_keeps_labels_and_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(tmp_path, None)
    capsys.readouterr()
    record = load_run(list_runs().lines[0].id)
    assert record is not None
    assert [labels_of(case) for case in record.shown.cases] == [(LABELS, 6)]


def test_where_nothing_can_be_told_nothing_is_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(tmp_path, {"threshold": 0.5}, "--json", answer="Alles gut.") == 3
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert case["status"] == "NOT_EVALUATED"
    (told,) = [one for one in case["metrics"] if one["name"] == "local_grounding"]
    assert (told["score"], told["reason"]) == (None, "1 of 1 sentence cannot be told")


def test_the_sensitivity_of_a_file_of_criteria(
    seen: list[Sensitivity], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate(tmp_path, None)
    evaluate(tmp_path, {"threshold": 0.5, "sensitivity": "eager"})
    assert seen == [Sensitivity.CAREFUL, Sensitivity.EAGER]
    capsys.readouterr()
    assert evaluate(tmp_path, {"threshold": 0.5, "sensitivity": "brave"}) == 2
    assert "sensitivity “brave” is not understood; it is “careful” or “eager”." in capsys.readouterr().err
    assert seen == [Sensitivity.CAREFUL, Sensitivity.EAGER]


def test_the_sensitivity_and_the_version_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "--json"]) == 0
    listed = {one["name"]: one for one in json.loads(capsys.readouterr().out)["metrics"]}
    assert listed["local_grounding"]["defaults"] == {"sensitivity": "careful"}
    assert {name for name, one in listed.items() if one["version"] != 1} == {"local_grounding"}
    assert main(["metrics"]) == 0
    assert "; version 6\n  options: sensitivity\n" in capsys.readouterr().out


def older(path: Path, report: Path) -> Path:
    """A result file as it was written before metrics had versions."""
    value = json.loads(report.read_text())
    beside = value["eval_case_results"][0]["traceInspector"]
    for metrics in (beside["metrics"], *(turn["metrics"] for turn in beside["turns"])):
        for metric in metrics:
            metric.pop("version", None)
    path.write_text(json.dumps(value))
    return path


@pytest.mark.parametrize(("threshold", "code"), [(0.5, 3), (None, 0)])
def test_runs_of_two_versions_are_not_held_against_each_other(
    threshold: float | None, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, page = tmp_path / "new.json", tmp_path / "two.json"
    golden: list[str] = []
    if threshold is None:  # another criterion decides
        evaluate(tmp_path, None)
        (tmp_path / "golden.json").write_text((tmp_path / "trace.json").read_text())
        golden = ["--golden", str(tmp_path / "golden.json")]
    evaluate(tmp_path, {"threshold": threshold} if threshold else None, *golden, "--report", f"adk={new}")
    base = older(tmp_path / "base.json", new)
    capsys.readouterr()
    assert main(["compare-runs", str(base), str(new), "--report", f"json={page}"]) == code
    told = capsys.readouterr().out.splitlines()
    assert f"Note: local_grounding is of version 1 in the baseline and 6 in the candidate: {APART}." in told
    assert [line for line in told if line.startswith("local_grounding:")] == []
    written = json.loads(page.read_text())
    assert "local_grounding" not in [one["metric"] for one in written["criteria"]]
    if threshold is not None:
        assert f"not comparable: a (another version of local_grounding: 1 and 6; {APART})" in told
    assert main(["compare-runs", str(new), str(list_runs().lines[0].id)]) == 0
    assert "local_grounding: 0.75 → 0.75 (+0" in capsys.readouterr().out


@pytest.mark.parametrize("stated", [-1, 1.5, "2", None, True, 1 << 40, [2]])
def test_a_version_that_is_none_is_the_first(stated: object, tmp_path: Path) -> None:
    report = tmp_path / "new.json"
    evaluate(tmp_path, None, "--report", f"adk={report}")
    value = json.loads(report.read_text())
    for metric in value["eval_case_results"][0]["traceInspector"]["turns"][0]["metrics"]:
        metric["version"] = stated
    report.write_text(json.dumps(value))
    assert [labels_of(case) for case in open_file(report).contents.reported] == [(LABELS, 1)]


def test_runs_of_two_sensitivities_are_not_comparable_where_they_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = []
    for sensitivity in ("careful", "eager"):
        evaluate(tmp_path, {"threshold": 0.5, "sensitivity": sensitivity})
        kept.append(list_runs().lines[0].id)
    capsys.readouterr()
    assert main(["compare-runs", *kept]) == 3
    told = capsys.readouterr().out
    assert "not comparable: a (another local_grounding: sensitivity careful and eager)" in told
