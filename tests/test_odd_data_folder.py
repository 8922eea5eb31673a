"""A data folder in which other things lie under our names: nothing is waited for, and nothing lost in silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from tests.models.test_goldens import eval_set
from trace_inspector import crash
from trace_inspector.core.verdict.verdict import RunVerdict, Status
from trace_inspector.flows.goldens.recovery import find_recoverable
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.store_run import list_runs, save_run
from trace_inspector.models.runs import pending as runs_pending
from trace_inspector.settings import choose_data_folder, ready_data_folder, usual_data_folder
from trace_inspector.store.database import FILE_NAME
from trace_inspector.store.index_cache import IndexCache
from trace_inspector.store.open_windows import take_unclosed_files
from trace_inspector.views.shell.application import SETTINGS, stored_settings

LIMIT_S = 120
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name on this system")
FILES = (SETTINGS, crash.FILE_NAME, FILE_NAME, f"{FILE_NAME}.lock")
BELOW = ("journals/1-a.journal", "windows/x.open", "said/x.json", "said/y-back.json")


def lay_pipes(folder: Path) -> None:
    """A pipe under each of our names."""
    for name in (*FILES, *BELOW):
        (folder / name).parent.mkdir(exist_ok=True)
        os.mkfifo(folder / name)


def test_pipes_in_the_data_folder_keep_nothing_waiting(private_data: Path, tmp_path: Path) -> None:
    lay_pipes(ready_data_folder())
    assert "not stored" in save_run(RunVerdict("r", Status.PASSED, 1.0, "", ""), Request(traces=()))
    assert list_runs().problem
    assert [str(private_data / BELOW[0]) in sentence for sentence in find_recoverable().problems] == [True]
    assert [
        str(private_data / name) in said
        for name, said in zip(BELOW[2:], runs_pending.pending_writes().problems, strict=True)
    ]
    assert take_unclosed_files(private_data) is None
    assert crash.take_earlier(private_data) == ""
    with crash.guarded(private_data, list, lambda _text: None):
        pass
    file = tmp_path / "large.json"
    file.write_bytes(b"{}")
    cache = IndexCache(private_data / "index", lambda: "program")
    cache.folder.mkdir()
    os.mkfifo(cache.entry_path(file))
    assert cache.find(file, lambda: None) is None


def test_a_pipe_in_the_place_of_the_chosen_folder_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRACE_INSPECTOR_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    choose_data_folder(tmp_path / "chosen")
    note = usual_data_folder() / "data-folder.txt"
    note.unlink()
    os.mkfifo(note)
    assert ready_data_folder() == usual_data_folder()
    with pytest.raises(OSError, match="regular"):
        choose_data_folder(tmp_path / "chosen")


def test_the_window_opens_beside_pipes(private_data: Path, tmp_path: Path) -> None:
    lay_pipes(ready_data_folder())
    small = eval_set(tmp_path / "a.evalset.json", "Graz")
    command = [sys.executable, "-m", "tests.helpers.modes", str(small)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr
    (aside,) = private_data.glob(f"{SETTINGS}.unreadable-*")
    assert aside.is_fifo()
    assert QSettings(str(private_data / SETTINGS), QSettings.Format.IniFormat).value("theme") == "dark"
    assert all((private_data / name).is_fifo() for name in (*FILES[1:], *BELOW))


@pytest.mark.parametrize("content", [b"\x00\xff garbage\n[[[", b"no line of it is a setting\n", b"[window\nx=1\n"])
def test_settings_that_qt_does_not_understand_are_kept_aside(private_data: Path, content: bytes) -> None:
    (ready_data_folder() / SETTINGS).write_bytes(content)
    settings, problem = stored_settings()
    settings.setValue("theme", "dark")
    settings.sync()
    (aside,) = private_data.glob(f"{SETTINGS}.unreadable-*")
    assert aside.read_bytes() == content
    assert str(aside) in problem
    again, problem = stored_settings()
    assert (again.value("theme"), problem) == ("dark", "")


def test_where_no_folder_can_be_made_the_window_remembers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "file" / "data"))
    settings, problem = stored_settings()
    settings.setValue("theme", "dark")
    settings.sync()
    assert problem == ""
    with crash.guarded(tmp_path / "file" / "data", list, lambda _text: None):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("content", ['{"run_id": ', "[]", '{"overrule": 7}', "\udcff"])
def test_a_note_that_cannot_be_read_is_kept_aside_and_told_once(content: str) -> None:
    folder = ready_data_folder() / "said"
    folder.mkdir()
    data = content.encode("utf-8", "surrogateescape")
    (folder / "x.json").write_bytes(data)
    (folder / "y-back.json").write_text(json.dumps({"back": "y"}))
    left = runs_pending.pending_writes()
    (aside,) = folder.glob("x.json.unreadable-*")
    assert aside.read_bytes() == data
    assert [str(aside) in sentence for sentence in left.problems] == [True]
    assert len(left.writes) == 1
    assert runs_pending.pending_writes().problems == ()
