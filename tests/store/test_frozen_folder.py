"""A data folder as the program wrote it in November 2026, before its modules were moved: all of it opens."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from trace_inspector import cli
from trace_inspector.core.golden.recoverable_edits import DraftText, OnDisk, Spot
from trace_inspector.core.trace.judge_call import CallKey
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.store import overrules, runs
from trace_inspector.store.database import database
from trace_inspector.store.judge_calls import StoredCalls

FROZEN = Path(__file__).resolve().parents[1] / "data" / "data-folder-2026-11.zip"


@pytest.fixture
def folder(private_data: Path) -> Path:
    with zipfile.ZipFile(FROZEN) as packed:
        packed.extractall(private_data)
    return private_data


def test_runs_overrules_and_replies_are_all_there(folder: Path) -> None:
    with database(folder) as store:
        newest, oldest = runs.recent(store)
        stored = runs.load(store, newest.id)
        assert store.problem == ""
        assert stored is not None
        assert len(stored.run.cases) == newest.cases == 11
        assert oldest.cases == 10
        assert oldest.summary is not None
        assert oldest.summary.counts == ((Status.PASSED, 4), (Status.FAILED, 1), (Status.NOT_EVALUATED, 5))
        assert overrules.overrules_of(store, newest.id) == (
            Overrule("o", 0, Status.PASSED, 1.0, 0, note="It was right."),
        )
        key = CallKey("https://judge.example", "a model", {"temperature": 0.0}, "Is it so?", 0)
        call = StoredCalls(store).get(key.digest)
        assert call is not None
        assert call.reply == "Yes."


def test_the_runs_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with database(folder) as store:
        newest, oldest = (line.id for line in runs.recent(store))
    assert cli.main(["compare-runs", oldest, newest]) in {0, 1}
    assert "1 regressed, 1 improved, 2 unchanged, 1 new, 0 gone, 6 not comparable" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_edits_and_typed_text_that_were_left_are_offered() -> None:
    (left,) = find_recoverable().recoverable
    assert left.on_disk is OnDisk.GONE
    assert left.drafts == (DraftText(Spot("/a", ""), "Label", "text that was typed"),)
    session = recover(left, lambda _journal: None)
    assert session.state.document.data == b'{"a": 1, "b": [2]}\n'
    session.close()
