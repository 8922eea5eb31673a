"""A key is in nothing that a run leaves behind, even when the endpoint repeats it; a dry run opens no connection."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# The fixtures of the neighbouring file are meant, its tests are not.
from tests.commands.test_evaluate_judges import clean_environment, decide, files, judge
from tests.helpers.judge_server import Fault, Says, model_server
from trace_inspector.cli import main
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS

__all__ = ("clean_environment", "files", "judge")
KEY = "made-up-secret-of-somebody"


@pytest.mark.parametrize("status", [401, 400, 429])
def test_no_key_is_left_behind(
    status: int,
    files: list[str],
    tmp_path: Path,
    private_data: Path,
    judge: Callable[[str], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def says(prompt: str, number: int) -> Says:
        return decide(prompt, number) if number < 2 else Fault(status, message=f"key {KEY} is used up per day")

    kinds = list(RUN_REPORTS)
    reports = [word for kind in kinds for word in ("--report", f"{kind}={tmp_path / f'report.{kind}'}")]
    with model_server(says) as server:
        named = judge(server.url)
        for name in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY"):
            monkeypatch.setenv(name, KEY)
        main([*files, *named, *reports, "--in-flight", "1"])
    said = "".join(capfd.readouterr())
    assert f"HTTP {status}: key … is used up per day" in said
    assert KEY not in said
    left = [path for folder in (tmp_path, private_data) for path in folder.rglob("*") if path.is_file()]
    assert {"trace-inspector.db", *(f"report.{kind}" for kind in kinds)} <= {path.name for path in left}
    assert [path for path in left if KEY.encode() in path.read_bytes()] == []


def test_a_dry_run_opens_no_connection(
    files: list[str], judge: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    named = judge("http://127.0.0.1:9")
    for trap in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, trap, _caught)
    monkeypatch.setattr(socket, "getaddrinfo", _caught)
    assert main([*files, *named, "--dry-run"]) == 0


def _caught(*_arguments: Any) -> Any:
    raise AssertionError("something was sent")
