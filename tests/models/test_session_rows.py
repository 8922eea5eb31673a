"""Folders of sessions are listed again while their files come, change and go: the rows are those on disk."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from tests.formats import claude_code_files
from trace_inspector.core.trace.outline import FullCounts, Outline
from trace_inspector.flows.opening.outlines import Outlines
from trace_inspector.models.base.roles import Role
from trace_inspector.models.files.session_rows import Order, SessionFolder
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.models.workspace.workspace_model import WorkspaceModel
from trace_inspector.work.reading import loading
from trace_inspector.work.reading.file_messages import ListedFiles, SessionsListed


class Told:
    """What a child would send."""

    def __init__(self) -> None:
        self.messages: list[SessionsListed | ListedFiles] = []

    def send(self, message: SessionsListed | ListedFiles) -> None:
        self.messages.append(message)


@pytest.fixture(autouse=True)
def model(workspace: Workspace) -> Iterator[WorkspaceModel]:
    made = WorkspaceModel(workspace)
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield made
    tester.deleteLater()


@pytest.fixture(autouse=True)
def _not_counted(monkeypatch: pytest.MonkeyPatch, workspace: Workspace) -> None:
    monkeypatch.setattr(workspace.session_folders, "_count", lambda _folder: None)


def put(folder: Path, name: str, *, parent: str = "", title: str = "") -> Path:
    """A session of that id, or a sub-agent of that parent."""
    path = folder / f"{name}.jsonl"
    lines = [line for line in claude_code_files.session() if isinstance(line, dict)]
    own = {"isSidechain": True, "agentId": name, "sessionId": parent} if parent else {"sessionId": name}
    path.write_text(
        "".join(
            json.dumps(line) + "\n"
            for line in [{"type": "ai-title", "aiTitle": title or name, **own}, *({**line, **own} for line in lines)]
        ),
        encoding="utf-8",
    )
    return path


def opened(workspace: Workspace, folder: Path) -> SessionFolder:
    for message in loading.sessions_in(folder):
        assert isinstance(message, SessionsListed)
        workspace.files.sessions_listed.emit(message)
    found = workspace.session_folders.by_path(folder)
    assert found is not None
    return found


def list_again(workspace: Workspace, folder: SessionFolder) -> list[str]:
    """Sentences that were told."""
    told = Told()
    folder.listing = True
    folder.seen_again.clear()
    loading.list_sessions(told, str(folder.path), [row.outline for row in folder.by_path.values()])  # type: ignore[arg-type]
    for message in told.messages:
        workspace.session_folders._take_again(folder, message)
    return [message.sentence for message in told.messages if isinstance(message, ListedFiles)]


def rows(model: WorkspaceModel, workspace: Workspace, above: QModelIndex) -> dict[Path, Path | None]:
    """Each file below an index, with that which it stands below."""
    found: dict[Path, Path | None] = {}
    for place in range(model.rowCount(above)):
        index = model.index(place, 0, above)
        row = workspace.session_folders.rows[index.internalId()]
        assert row.place == place
        assert model.parent(index) == above
        assert row.outline.path not in found
        upper = workspace.session_folders.rows.get(above.internalId())
        found |= {row.outline.path: upper.outline.path if upper else None, **rows(model, workspace, index)}
    return found


@pytest.mark.parametrize("seed", range(8))
def test_rows_are_those_on_disk(workspace: Workspace, model: WorkspaceModel, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    names = [f"s{number}" for number in range(12)]
    parents: dict[str, str] = {}
    for name in names[:3]:
        put(tmp_path, name)
    folder = opened(workspace, tmp_path)
    for _step in range(25):
        for name in chance.sample(names, chance.randint(1, 5)):
            path = tmp_path / f"{name}.jsonl"
            what = chance.choice(["session", "below", "empty", "gone", "gone", "damaged"])
            parents.pop(name, None)
            if what == "session":
                put(tmp_path, name, title=f"{name} {chance.random()}")
            elif what == "below":
                parents[name] = chance.choice(names)
                put(tmp_path, name, parent=parents[name])
            elif what == "gone":
                path.unlink(missing_ok=True)
            else:
                path.write_text("{" if what == "damaged" else "", encoding="utf-8")
        held = [QPersistentModelIndex(model.index_of(row.number)) for row in folder.by_path.values()]
        numbers = [index.internalId() for index in held]
        list_again(workspace, folder)
        workspace.session_folders.sort_by(chance.choice([*Order]))
        found = rows(model, workspace, model.index_of(folder.number))
        assert set(found) == set(tmp_path.glob("*.jsonl")) == set(folder.by_path)
        assert len(workspace.session_folders.rows) == len(found)
        known = {row.outline.id: path for path, row in folder.by_path.items() if row.outline.id}
        for path, row in folder.by_path.items():
            assert row.outline.size_bytes == path.stat().st_size
            assert found[path] in (None, known.get(row.outline.parent))
            if row.outline.parent in known and known[row.outline.parent] != path:
                upper = folder.by_path[known[row.outline.parent]]
                assert found[path] is not None or upper.outline.parent  # a circle is cut
        for index, number in zip(held, numbers, strict=True):
            assert index.isValid() == (number in workspace.session_folders.rows)
            assert not index.isValid() or index.internalId() == number


def test_a_session_that_was_unread_and_then_deleted_is_no_parent(
    workspace: Workspace, model: WorkspaceModel, tmp_path: Path
) -> None:
    put(tmp_path, "b")
    path = put(tmp_path, "a")
    folder = opened(workspace, tmp_path)
    unread = SessionsListed(tmp_path, (folder.by_path[tmp_path / "b.jsonl"].outline,), ((path, "why"),), is_last=True)
    workspace.session_folders._take_again(folder, unread)
    assert (folder.by_path[path].trouble, folder.by_path[path].title) == ("why", "a")
    path.unlink()
    list_again(workspace, folder)
    below = put(tmp_path, "c", parent="a")
    list_again(workspace, folder)
    assert rows(model, workspace, model.index_of(folder.number)) == {tmp_path / "b.jsonl": None, below: None}
    put(tmp_path, "a")  # its parent becomes known
    list_again(workspace, folder)
    assert rows(model, workspace, model.index_of(folder.number))[below] == path


def test_a_folder_is_followed_whatever_is_left_or_new_in_it(
    workspace: Workspace, model: WorkspaceModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        put(tmp_path, name)
    folder = opened(workspace, tmp_path)
    asked: list[list[Path]] = []
    monkeypatch.setattr(workspace.files, "open", asked.append)
    case = {"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}}]}
    (tmp_path / "foreign.jsonl").write_text(json.dumps({"eval_set_id": "s", "eval_cases": [case]}), encoding="utf-8")
    (tmp_path / "a.jsonl").unlink()
    for _time in range(2):
        assert list_again(workspace, folder) == []
    assert asked == [[tmp_path / "foreign.jsonl"]]
    (tmp_path / "b.jsonl").unlink()
    list_again(workspace, folder)
    assert [*folder.by_path] == [tmp_path / "c.jsonl"]
    monkeypatch.setattr("trace_inspector.flows.opening.listing.MOST_FILES", 1)
    (sentence,) = list_again(workspace, folder)
    assert "more than 1 files" in sentence
    monkeypatch.undo()
    (tmp_path / "c.jsonl").unlink()
    list_again(workspace, folder)
    assert model.rowCount(model.index_of(folder.number)) == 0


def test_what_is_unchanged_is_neither_read_nor_told(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        put(tmp_path, name)
    (tmp_path / "d.jsonl").touch()
    folder = opened(workspace, tmp_path)
    read: list[str] = []
    outline = Outlines.outline

    def noted(own: Outlines, path: Path) -> Outline:
        read.append(path.stem)
        return outline(own, path)

    monkeypatch.setattr(Outlines, "outline", noted)
    told: list[int] = []
    workspace.session_folders.changed.connect(told.append)
    workspace.session_folders.sorting.connect(lambda: told.append(-1))
    list_again(workspace, folder)
    assert read == []
    assert set(told) == {folder.number}
    told.clear()
    put(tmp_path, "d")
    list_again(workspace, folder)
    assert read == ["d"]
    row = folder.by_path[tmp_path / "d.jsonl"]
    assert row.title == "d"
    assert {each for each in told if each > 0} == {folder.number, row.number}


@pytest.mark.parametrize("outer_first", [True, False])
def test_a_file_has_one_row(workspace: Workspace, model: WorkspaceModel, tmp_path: Path, outer_first: bool) -> None:
    inner = tmp_path / "x"
    inner.mkdir()
    for folder in (tmp_path, inner):
        for name in "ab":
            put(folder, name)
    link = tmp_path.parent / f"{tmp_path.name}-link"
    link.symlink_to(tmp_path)
    for path in (tmp_path, inner) if outer_first else (inner, tmp_path):
        for message in loading.sessions_in(path):
            workspace.files.sessions_listed.emit(message)
    for message in loading.sessions_in(link):
        workspace.files.sessions_listed.emit(message)
    folders = [*workspace.session_folders.by_number.values()]
    assert len(folders) == (1 if outer_first else 2)
    found = [path.resolve() for each in folders for path in rows(model, workspace, model.index_of(each.number))]
    assert sorted(found) == sorted(tmp_path.rglob("*.jsonl"))


def test_a_sub_agent_whose_session_is_gone_is_counted_as_one(
    workspace: Workspace, model: WorkspaceModel, tmp_path: Path
) -> None:
    put(tmp_path, "a")
    put(tmp_path, "b", parent="a")
    put(tmp_path, "c", parent="gone")
    folder = opened(workspace, tmp_path)
    assert len(folder.tops) == 2
    index = model.index_of(folder.number)
    assert index.data(Role.CAPTION) == "1 session"
    assert "1 session · 2 sub-agents" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_what_was_counted_of_a_file_is_forgotten_once_it_is_written(workspace: Workspace, tmp_path: Path) -> None:
    paths = [put(tmp_path, name) for name in "ab"]
    folder = opened(workspace, tmp_path)
    for row in folder.by_path.values():
        row.counts = FullCounts("claude-code", 1, 2, 3, 4)
    text = paths[0].read_text(encoding="utf-8")
    paths[0].write_text(text.replace("2026-05-01", "2026-05-02"), encoding="utf-8")
    os.utime(paths[0], (1, 1))
    list_again(workspace, folder)
    assert [folder.by_path[path].counts is None for path in paths] == [True, False]


def in_batches(folder: Path) -> list[SessionsListed]:
    """What a child sends of a large folder: a session each."""
    paths = sorted(folder.glob("*.jsonl"))
    made = [Outline(path, 1, format="claude-code", id=path.stem) for path in paths]
    return [SessionsListed(folder, (one,), total=len(made), is_last=one is made[-1]) for one in made]


def test_a_folder_that_is_listed_again_meanwhile_costs_another_one_no_rows(
    workspace: Workspace, tmp_path: Path
) -> None:
    sessions = workspace.session_folders
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        for number in range(4):
            put(tmp_path / name, f"{name}{number}")
    first = opened(workspace, tmp_path / "a")
    sent = in_batches(tmp_path / "b")
    workspace.files.sessions_listed.emit(sent[0])
    workspace.files.sessions_listed.emit(sent[1])
    list_again(workspace, first)
    sessions._end_again(first.number)
    second = sessions.by_path(tmp_path / "b")
    assert second is not None
    assert second.listing
    for message in sent[2:]:
        workspace.files.sessions_listed.emit(message)
    assert len(second.by_path) == 4
    assert not second.listing


def test_a_folder_that_is_opened_again_while_it_is_listed_again_keeps_its_rows(
    workspace: Workspace, tmp_path: Path
) -> None:
    for number in range(4):
        put(tmp_path, f"s{number}")
    folder = opened(workspace, tmp_path)
    sent = in_batches(tmp_path)
    workspace.files.sessions_listed.emit(sent[0])
    list_again(workspace, folder)
    workspace.session_folders._end_again(folder.number)
    for message in sent[1:]:
        workspace.files.sessions_listed.emit(message)
    assert len(folder.by_path) == 4


def test_a_folder_that_is_opened_twice_at_once_keeps_its_rows(workspace: Workspace, tmp_path: Path) -> None:
    for number in range(4):
        put(tmp_path, f"s{number}")
    sent = in_batches(tmp_path)
    for _twice in range(2):
        workspace.files.folders_opened.emit([tmp_path])
    for message in (*sent[:2], *sent, *sent[2:]):
        workspace.files.sessions_listed.emit(message)
    folder = workspace.session_folders.by_path(tmp_path)
    assert folder is not None
    assert len(folder.by_path) == 4
    (tmp_path / "s3.jsonl").unlink()
    workspace.files.all_read.emit()
    opened(workspace, tmp_path)
    assert len(folder.by_path) == 3


def test_many_gone_are_removed_at_once(workspace: Workspace, model: WorkspaceModel, tmp_path: Path) -> None:
    for number in range(40):
        put(tmp_path, f"s{number}")
    folder = opened(workspace, tmp_path)
    for number in range(0, 40, 2):
        (tmp_path / f"s{number}.jsonl").unlink()
    removed: list[int] = []
    model.rowsRemoved.connect(lambda _above, first, last: removed.append(last - first + 1))
    list_again(workspace, folder)
    assert removed == [20]
    assert set(rows(model, workspace, model.index_of(folder.number))) == set(tmp_path.glob("*.jsonl"))
