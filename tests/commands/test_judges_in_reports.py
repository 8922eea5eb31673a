"""Reports of a run say how far its judges agree with people, where people said anything of what they judged."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.flows.review import stored_labels
from trace_inspector.resources import folder

SAMPLES = folder("samples")
LINE = "rubric_based_final_response_quality_v1: agrees with people on 13 of 15; it passes 95 % of 22"


def written(tmp_path: Path, *more: str) -> list[str]:
    reports = [tmp_path / "run.html", tmp_path / "run.md"]
    words = [f"--report={kind}={path}" for kind, path in zip(("html", "markdown"), reports, strict=True)]
    judge = ["--judge", f"recorded:{SAMPLES / 'judge-replies.json'}"]
    golden = ["--golden", str(SAMPLES / "retail.evalset.json")]
    assert main(["evaluate", str(SAMPLES / "run-0412.json"), *golden, *judge, *words, *more]) == 1
    return [unescape(path.read_text("utf-8")) for path in reports]


def test_the_labels_of_the_samples_are_told_unless_something_is_redacted(tmp_path: Path) -> None:
    for text in written(tmp_path):
        assert f"{LINE}, people would pass 82 % (48 to 98 %) by PPI if labelled outputs are a random draw" in text
        assert "86 % (0 to 100 %) by Rogan–Gladen if the judge is right as often" in text
    for text in written(tmp_path, "--redact-secrets"):
        assert "agrees with people" not in text


def test_without_labels_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_labels, "sample_labels", lambda _paths: ())
    for text in written(tmp_path):
        assert "agrees with people" not in text
