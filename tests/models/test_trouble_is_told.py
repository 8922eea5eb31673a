"""What the child that edits goldens says in between reaches whoever shows sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.golden.requests import ListRecoverable, Trouble
from trace_inspector.work.processes.child import Progress
from trace_inspector.work.processes.jobs import Jobs


def test_trouble_is_a_sentence_and_progress_is_none(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full while an edit is written: nobody asked, and somebody must hear."""
    heard: list[Callable[[Any], None]] = []
    monkeypatch.setattr(jobs, "order", lambda _service, _request, _then, told: heard.append(told))
    workspace = Workspace(jobs, jobs)
    sentences: list[str] = []
    workspace.messages.posted.connect(sentences.append)
    workspace.goldens.aside(ListRecoverable(), lambda _answer: None)
    heard[-1](Trouble("The edits could not be written."))
    heard[-1](Progress(1, 2))
    assert sentences == ["The edits could not be written."]
