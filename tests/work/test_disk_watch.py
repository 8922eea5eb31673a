from __future__ import annotations

import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from trace_inspector.documents.base.document import Stamp
from trace_inspector.documents.packing.packing import Spot, spot_of
from trace_inspector.documents.reading.reading import stamp_at
from trace_inspector.documents.zip.directory import Directory, directory_of
from trace_inspector.work.reading import disk_state, disk_watch
from trace_inspector.work.reading.disk_state import BundleMembers, FileLook
from trace_inspector.work.reading.disk_watch import DiskWatch

WAIT_S = 60


@pytest.fixture
def watch(qtbot: QtBot) -> Iterator[DiskWatch]:  # noqa: ARG001
    made = DiskWatch(every_s=0.01)
    yield made
    made.stop()


def known(watch: DiskWatch, number: int) -> bool:
    return number in watch._states


def put(path: Path, text: str) -> None:
    """At once: a file that is being written is first empty and then full, and both are changes."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text)
    new.replace(path)


def test_a_change_is_told_once_with_the_file_it_is_about(watch: DiskWatch, qtbot: QtBot, tmp_path: Path) -> None:
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for number, path in enumerate(paths):
        path.write_text("{}")
        watch.watch(number, path)
    qtbot.waitUntil(lambda: known(watch, 1))
    told: list[tuple[int, bool]] = []
    watch.changed.connect(lambda number, there: told.append((number, there)))
    put(paths[1], '{"new": 1}')
    qtbot.waitUntil(lambda: bool(told))
    qtbot.wait(50)
    assert told == [(1, True)]


def test_a_file_put_in_its_place_is_a_change_and_so_is_none_at_all(
    watch: DiskWatch, qtbot: QtBot, tmp_path: Path
) -> None:
    path, other = tmp_path / "a.json", tmp_path / "other.json"
    path.write_text("{}")
    other.write_text("[]")
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    watch.watch(1, path)
    qtbot.waitUntil(lambda: known(watch, 1))
    with qtbot.waitSignal(watch.changed) as replaced:
        other.replace(path)
    assert replaced.args == [1, True]
    with qtbot.waitSignal(watch.changed) as gone:
        path.unlink()
    assert gone.args == [1, False]


def test_a_forgotten_file_is_silent(watch: DiskWatch, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    watch.watch(1, path)
    qtbot.waitUntil(lambda: known(watch, 1))
    watch.forget(1)
    with qtbot.assertNotEmitted(watch.changed, wait=60):
        put(path, "[1]")


def test_what_was_seen_before_it_was_read_or_written_here_is_no_news_after_it(
    watch: DiskWatch, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    told = changes(watch, qtbot, path)
    waiting = threading.Event()
    watch._seen.connect(lambda *_seen: waiting.set(), Qt.ConnectionType.DirectConnection)
    put(path, "[1, 2]")
    assert waiting.wait(WAIT_S), "seen by the thread, while the window has no time for it"
    watch.go_on(1, path, stamp_at(path))
    qtbot.wait(200)
    assert told == []
    put(path, "[1, 2, 3]")
    qtbot.waitUntil(lambda: told == [(1, True)])


def test_a_change_that_was_seen_as_a_save_began_is_told_when_nothing_was_saved(
    watch: DiskWatch, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    told = changes(watch, qtbot, path)
    waiting = threading.Event()
    watch._seen.connect(lambda *_seen: waiting.set(), Qt.ConnectionType.DirectConnection)
    put(path, "[1, 2]")
    assert waiting.wait(WAIT_S)
    watch.hold(1)
    qtbot.wait(200)
    assert told == []
    watch.go_on(1, path, None)
    qtbot.waitUntil(lambda: told == [(1, True)])


def test_what_lies_in_an_archive_changes_with_it(watch: DiskWatch, qtbot: QtBot, tmp_path: Path) -> None:
    archive = tmp_path / "runs.zip"
    archive.write_bytes(b"one")
    watch.watch(1, archive / "inner" / "a.json")
    qtbot.waitUntil(lambda: known(watch, 1))
    with qtbot.waitSignal(watch.changed) as told:
        put(archive, "other")
    assert told.args == [1, True]


def zipped(archive: Path, **members: str) -> Path:
    new = archive.with_name(f".{archive.name}.new")
    with zipfile.ZipFile(new, "w") as writer:
        for name, text in members.items():
            writer.writestr(f"in/{name}.json", text)
    new.replace(archive)
    return archive


def test_a_member_of_an_archive_changes_by_itself(watch: DiskWatch, qtbot: QtBot, tmp_path: Path) -> None:
    archive = zipped(tmp_path / "runs.zip", a="1", b="2")
    told: list[tuple[int, bool]] = []
    watch.changed.connect(lambda number, there: told.append((number, there)))
    for number, name in enumerate("ab"):
        watch.watch(number, archive / "in" / f"{name}.json")
    qtbot.waitUntil(lambda: known(watch, 1))
    zipped(archive, a="1", b="3")
    qtbot.waitUntil(lambda: bool(told))
    zipped(archive, other="before", b="3", a="4")
    qtbot.waitUntil(lambda: len(told) > 1)
    zipped(archive, b="3")
    qtbot.waitUntil(lambda: len(told) > 2)
    assert told == [(1, True), (0, True), (0, False)]
    archive.unlink()
    qtbot.waitUntil(lambda: told[3:] == [(1, False)])


def test_an_archive_that_goes_while_it_is_looked_at_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = zipped(tmp_path / "runs.zip", a="1")
    look = FileLook(archive / "in" / "a.json")
    read_directory = directory_of

    def too_late(path: Path) -> Directory:
        path.unlink()
        return read_directory(path)

    monkeypatch.setattr(disk_state, "directory_of", too_late)
    assert look.look() is None


def test_a_folder_in_place_of_a_file_is_a_file_that_is_gone_and_no_matter_for_its_new_name(
    watch: DiskWatch, qtbot: QtBot, tmp_path: Path
) -> None:
    path, other = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text("{}")
    told = changes(watch, qtbot, path)
    path.unlink()
    path.mkdir()
    qtbot.waitUntil(lambda: told == [(1, False)])
    watch.hold(1)
    other.write_text("{}")
    watch.go_on(1, other, stamp_at(other))
    probe = tmp_path / "probe.json"
    probe.write_text("{}")
    watch.watch(2, probe)  # asked behind the others: each time that it was, they were
    qtbot.waitUntil(lambda: known(watch, 2))
    put(probe, "[1]")
    qtbot.waitUntil(lambda: (2, True) in told)
    assert told == [(1, False), (2, True)]
    put(other, "[1, 2]")
    qtbot.waitUntil(lambda: told[2:] == [(1, True)])


def test_a_file_that_was_away_and_comes_back_as_it_was_is_told_so(
    watch: DiskWatch, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    path.write_text("{}")
    told = changes(watch, qtbot, path)
    path.rename(tmp_path / "elsewhere")
    qtbot.waitUntil(lambda: told == [(1, False)])
    with qtbot.waitSignal(watch.as_before) as back:
        (tmp_path / "elsewhere").rename(path)
    assert back.args == [1]
    assert told == [(1, False)]


def bundle(folder: Path) -> Path:
    for name in ("app.json", "agents/root/root.json", "evaluations/one/one.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")
    return folder


def changes(watch: DiskWatch, qtbot: QtBot, path: Path) -> list[tuple[int, bool]]:
    watch.watch(1, path)
    qtbot.waitUntil(lambda: known(watch, 1))
    told: list[tuple[int, bool]] = []
    watch.changed.connect(lambda number, there: told.append((number, there)))
    return told


def replaced(folder: Path) -> None:
    """By another of the same size and age."""
    old, new = folder / "agents" / "root" / "root.json", folder / "agents" / "root" / "new.tmp"
    new.write_text("[]")
    os.utime(new, ns=(old.stat().st_atime_ns, old.stat().st_mtime_ns))
    new.replace(old)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: put(folder / "agents" / "root" / "root.json", '{"new": 1}'),
        lambda folder: (folder / "evaluations" / "one" / "one.json").unlink(),
        lambda folder: put(folder / "evaluations" / "one" / "two.json", "{}"),
        replaced,
    ],
    ids=["written", "removed", "added", "replaced"],
)
def test_what_happens_to_a_file_of_a_bundle_is_told_of_the_bundle(
    watch: DiskWatch, qtbot: QtBot, tmp_path: Path, change: Callable[[Path], object]
) -> None:
    folder = bundle(tmp_path / "app")
    told = changes(watch, qtbot, folder)
    change(folder)
    qtbot.waitUntil(lambda: bool(told))
    assert set(told) == {(1, True)}


def test_what_is_no_part_of_a_bundle_is_no_news_and_a_bundle_that_went_is(
    watch: DiskWatch, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = bundle(tmp_path / "app")
    told = changes(watch, qtbot, folder)
    (folder / "notes.txt").write_text("mine")
    (folder / "agents" / ".root.json.swp").write_text("an editor's")
    qtbot.wait(80)
    assert told == []
    folder.rename(tmp_path / "elsewhere")
    qtbot.waitUntil(lambda: bool(told))
    assert told == [(1, False)]


def test_only_so_many_files_of_bundles_are_followed(
    watch: DiskWatch, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_watch, "MOST_MEMBERS", 2)
    folder = bundle(tmp_path / "app")
    told = changes(watch, qtbot, folder)
    put(folder / "evaluations" / "one" / "one.json", '{"not": "followed"}')
    qtbot.wait(80)
    assert told == []
    put(folder / "agents" / "root" / "root.json", '{"new": 1}')
    qtbot.waitUntil(lambda: bool(told))
    assert told == [(1, True)]


def test_an_archive_that_goes_before_it_is_opened_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = zipped(tmp_path / "runs.zip", a="1")
    look = FileLook(archive / "in" / "a.json")

    def gone(path: Path) -> Spot:
        archive.unlink()
        return spot_of(path)

    monkeypatch.setattr(disk_state, "spot_of", gone)
    assert look.look() is None


def test_a_bundle_that_goes_while_its_files_are_looked_at_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bundle(tmp_path / "app")
    members = BundleMembers(folder, 100)
    assert members.look()

    stamp = disk_state._stamp

    def moved_away(path: Path) -> Stamp | None:
        if folder.exists():
            folder.rename(tmp_path / "elsewhere")
        return stamp(path)

    monkeypatch.setattr(disk_state, "_stamp", moved_away)
    assert members.look() is None
