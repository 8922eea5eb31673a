"""Nobody but its owner may look into the data folder, whatever the program that started this one lets others do."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.helpers.modes import names_below, open_to_others
from tests.models.test_goldens import eval_set
from tests.store.index.keeping import keep as keep_index
from tests.store.test_runs import RUN
from trace_inspector import crash, settings
from trace_inspector.core.values.edit import Set
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.store_run import list_runs, save_run
from trace_inspector.models.files.pasting import pasted
from trace_inspector.models.runs import pending as runs_pending
from trace_inspector.settings import (
    OWN_NAMES,
    choose_data_folder,
    close_data_folder,
    ready_data_folder,
    usual_data_folder,
)
from trace_inspector.store.database import FILE_NAME, begun_anew, database
from trace_inspector.store.index_cache import IndexCache
from trace_inspector.store.open_windows import OpenWindow
from trace_inspector.work.runs.run_store import AddOverrule

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="the modes of Windows say nothing about others")
PLAIN, OPEN = 0o022, 0
LIMIT_S = 120


@pytest.fixture(params=[PLAIN, OPEN], ids=["022", "0"])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture(autouse=True)
def _closed_anew() -> Iterator[None]:
    """As a process that begins."""
    settings._close_once.cache_clear()
    yield
    settings._close_once.cache_clear()


def write_everything(tmp_path: Path) -> OpenWindow:
    """All that the program writes into its data folder without a window. What is returned is still open."""
    folder = ready_data_folder()
    assert save_run(RUN, Request(traces=())) == ""
    runs_pending.note(AddOverrule("run-1", ("c",), 0, Overrule("run-1", 0, Status.FAILED, 1.0)))
    pasted("{}", folder)
    crash.keep(ValueError(), folder)
    session = EditSession(read(eval_set(tmp_path / "a.evalset.json", "Graz")), lambda _journal: None)
    session.apply(Set("/eval_cases/0/eval_id", '"edited"'))
    session.close()
    large = tmp_path / "large.json"
    large.write_bytes(b"{}")
    keep_index(IndexCache(folder / "index", lambda: "program"), large)
    window = OpenWindow(folder)
    window.note(["a.json"])
    return window


@pytest.mark.usefixtures("umask")
def test_all_that_is_written_is_for_its_owner_alone(private_data: Path, tmp_path: Path) -> None:
    window = write_everything(tmp_path)
    with database(private_data) as store:  # open, so that what SQLite keeps beside it is there
        store.connection.execute("UPDATE run SET status = status")
        assert {f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"} <= names_below(private_data)
        assert open_to_others(private_data) == []
    assert all(name.startswith(OWN_NAMES) for name in names_below(private_data))
    window.end()


@pytest.mark.usefixtures("umask")
def test_a_damaged_store_is_set_aside_for_its_owner_alone(private_data: Path) -> None:
    (ready_data_folder() / FILE_NAME).write_bytes(b"no database " * 1000)
    close_data_folder()
    with database(private_data) as store:
        assert "damaged" in store.problem
    settings._close_once.cache_clear()
    close_data_folder()
    assert open_to_others(private_data) == []


@pytest.mark.usefixtures("umask")
def test_a_store_that_begins_anew_is_for_its_owner_alone(private_data: Path) -> None:
    with database(ready_data_folder()) as store:
        pass
    with begun_anew(private_data, store, sqlite3.DatabaseError("broken")):
        assert open_to_others(private_data) == []


@pytest.mark.usefixtures("umask")
def test_the_note_of_a_chosen_folder_is_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(settings.OVERRIDE)
    monkeypatch.setenv("HOME", str(tmp_path / "new" / "home"))
    monkeypatch.delenv("XDG_DATA_HOME")
    choose_data_folder(tmp_path / "other")
    choose_data_folder(tmp_path / "another")
    assert settings.data_folder() == tmp_path / "another"
    assert open_to_others(usual_data_folder()) == []


def loosened(folder: Path, tmp_path: Path) -> list[Path]:
    """What an earlier version left: everything there, and everybody may do anything with it."""
    write_everything(tmp_path).end()
    with database(folder) as store:
        store.connection.execute("UPDATE run SET status = status")
    found = [folder, *folder.rglob("*")]
    for path in found:
        path.chmod(0o777 if path.is_dir() else 0o666)
    settings._close_once.cache_clear()
    return found


def test_what_an_earlier_version_left_open_is_closed_by_whoever_uses_it(private_data: Path, tmp_path: Path) -> None:
    assert len(loosened(private_data, tmp_path)) > 8
    list_runs()
    assert open_to_others(private_data) == []


def test_nothing_behind_a_link_is_closed_and_nothing_that_is_not_ours(private_data: Path, tmp_path: Path) -> None:
    loosened(private_data, tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    (outside / "mine.json").write_text("{}")
    (private_data / "journals" / "link").symlink_to(outside)
    (private_data / "index-link").symlink_to(outside / "mine.json")
    (private_data / "holiday.txt").write_text("")
    (private_data / "holiday.txt").chmod(0o644)
    close_data_folder()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (outside, outside / "mine.json")] == [0o755, 0o644]
    # Somebody chose a folder with other things in it: that stays what it is.
    assert [line.rpartition(" ")[0].rpartition("/")[2] for line in open_to_others(private_data)] == [
        private_data.name,
        "holiday.txt",
    ]


def test_in_the_usual_folder_of_this_system_everything_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(settings.OVERRIDE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = usual_data_folder()
    folder.mkdir(mode=0o755)
    (folder / "left by whom?").touch(0o600)
    ready_data_folder()
    assert open_to_others(folder) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_folder_of_somebody_else_is_left_as_it_is(private_data: Path, tmp_path: Path) -> None:
    loosened(private_data, tmp_path)
    for path in (private_data, *private_data.rglob("*")):
        os.chown(path, 4242, 4242)
    before = open_to_others(private_data)
    close_data_folder()
    assert open_to_others(private_data) == before


def test_closing_looks_at_each_name_once(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ready_data_folder() / "pasted"
    folder.mkdir(0o700)
    for number in range(500):
        (folder / f"{number}.json").touch(0o600)
    settings._close_once.cache_clear()
    changed: list[object] = []
    monkeypatch.setattr(os, "chmod", lambda *given: changed.append(given))
    for _time in range(3):
        ready_data_folder()
    assert changed == []
    assert settings._close_once.cache_info().misses == 1


@pytest.mark.parametrize("umask", [OPEN], indirect=True)  # what is open with 022 is open with this one, too
@pytest.mark.usefixtures("umask")
def test_the_window_writes_nothing_that_others_may_read(private_data: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    turns = [{"role": "user", "content": "x" * 1_000}] * 3_000
    large.write_text(json.dumps({"messages": turns}))
    long_ago = time.time() - 60
    os.utime(large, (long_ago, long_ago))
    small = eval_set(tmp_path / "a.evalset.json", "Graz")
    command = [sys.executable, "-m", "tests.helpers.modes", str(small), str(large)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr
    names, _, rest = done.stdout.removeprefix("names\n").partition("open\n")
    assert {"crash.txt", "index", "pasted", "window.ini", "windows"} <= set(names.split())
    assert all(name.startswith(OWN_NAMES) for name in names.split())
    assert rest == "after\n", "readable by others, while it ran and after it"
    assert open_to_others(private_data) == []


def test_a_report_cannot_be_led_elsewhere(private_data: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "diary.txt"
    elsewhere.write_text("dear diary")
    (ready_data_folder() / crash.FILE_NAME).symlink_to(elsewhere)
    with pytest.raises(OSError):  # noqa: PT011 -- its words are the system's
        crash.keep(ValueError(), private_data)
    assert crash.take_earlier(private_data) == ""
    with crash.guarded(private_data, list, lambda _text: None):
        sys.excepthook(ValueError, ValueError(), None)
    assert elsewhere.read_text() == "dear diary"


def test_the_store_keeps_its_locks_when_it_is_opened_twice(private_data: Path) -> None:
    """Closing any handle of a database drops all locks that a process has on it."""
    with database(ready_data_folder()) as store:
        store.connection.execute("BEGIN IMMEDIATE")
        with database(private_data):
            pass
        script = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
        line = [sys.executable, "-c", script, str(private_data / FILE_NAME)]
        other = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        assert "locked" in other.stderr
        store.connection.execute("ROLLBACK")
    with closing(sqlite3.connect(private_data / FILE_NAME)) as again:
        again.execute("BEGIN IMMEDIATE")
