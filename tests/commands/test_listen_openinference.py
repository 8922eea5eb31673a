"""OpenInference's instrumentation of the OpenAI client, as people use it: its turn is scored as it ends."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.flows.live.test_growing import golden_file
from tests.helpers.sending_agent import ASKED, SAID
from trace_inspector.cli import main
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.flows.opening.open_file import open_file

AGENT = [sys.executable, "-m", "tests.helpers.openinference_agent"]

pytest.importorskip(
    "openinference.instrumentation.openai", reason="openinference-instrumentation-openai is not installed"
)


def test_an_instrumented_client_is_scored_with_its_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for proxy in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(proxy, raising=False)
    record, golden = tmp_path / "recording.jsonl", golden_file(tmp_path, (ASKED, SAID))
    command = ["--port", "0", "--record", str(record), "--golden", str(golden)]
    assert main(["listen", *command, "--", *AGENT]) == 0
    assert f"passed  case, turn 1; “{ASKED}”" in capsys.readouterr().out
    (trace,) = open_file(record).contents.traces
    (turn,) = trace.turns
    assert trace.session_id == "one"
    assert [(call.name, call.args) for call in calls_of(turn)] == [("look_up", {"kind": "shoes"})]
