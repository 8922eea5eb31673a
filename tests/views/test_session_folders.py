"""A coding agent's folder is one entry of the Workspace panel, and its sessions are read when they are chosen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from tests.formats import claude_code_files, codex_files
from tests.views.doing import wait_for
from trace_inspector.core.trace.outline import Outline
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.session_rows import Order, SessionFolder
from trace_inspector.views.actions.files import open_paths
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.workspace.panel import WorkspacePanel
from trace_inspector.work.reading.file_messages import SessionsListed

SIZES = {"a1": 1, "b2": 3, "c3": 2}


def put(path: Path, lines: list[Json]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def session(name: str, title: str, *, minutes: int = 0, times: int = 1) -> list[Json]:
    """A session of that id, which begins so many minutes later than others."""
    lines: list[Json] = [{"type": "ai-title", "aiTitle": title, "sessionId": name}]
    for line in claude_code_files.session():
        assert isinstance(line, dict)
        stamp = line.get("timestamp")
        later = {"timestamp": stamp.replace("T10:", f"T{10 + minutes // 60}:")} if isinstance(stamp, str) else {}
        lines.append({**line, **({"sessionId": name} if "sessionId" in line else {}), **later})
    more: Json = {"type": "progress", "sessionId": name, "data": "x" * 500}
    return [*lines, *[more] * (times - 1)]


def sub_agent(parent: str, agent: str) -> list[Json]:
    return [
        {**line, "isSidechain": True, "agentId": agent, "sessionId": parent}
        for line in claude_code_files.session()
        if isinstance(line, dict) and line.get("uuid") in ("u1", "a1", "a2")
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Three sessions, one with a sub-agent, and what the program keeps beside them."""
    folder = tmp_path / "-home-me-shop"
    for hour, (name, times) in enumerate(SIZES.items()):
        put(folder / f"{name}.jsonl", session(name, f"Title {name}", minutes=60 * hour, times=times))
    put(folder / "b2" / "subagents" / "agent-x7.jsonl", sub_agent("b2", "x7"))
    (folder / "b2" / "subagents" / "agent-x7.meta.json").write_text('{"agentType": "Explore"}', encoding="utf-8")
    (folder / "sessions-index.json").write_text('{"version": 1, "entries": []}', encoding="utf-8")
    return folder


@pytest.fixture
def panel(window: MainWindow) -> WorkspacePanel:
    found = window.findChild(WorkspacePanel)
    if found is None:
        window.docks.show()
        found = window.findChild(WorkspacePanel)
    assert found is not None
    return found


def opened(window: MainWindow, *paths: Path) -> SessionFolder:
    """The folder, once it is listed and counted."""
    open_paths(window.desk, paths)
    folders = window.desk.workspace.session_folders
    assert wait_for(lambda: any(not folder.listing for folder in folders.by_number.values()))
    assert wait_for(lambda: not window.desk.jobs.busy)
    return next(iter(folders.by_number.values()))


def shown(panel: WorkspacePanel) -> list[str]:
    """The rows as they are unfolded, with their depth."""
    view = panel.view
    rows, index = [], view.model().index(0, 0)
    while index.isValid():
        depth, above = 0, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        rows.append(f"{'  ' * depth}{index.data()}")
        index = view.indexBelow(index)
    return rows


def row(panel: WorkspacePanel, text: str) -> QModelIndex:
    found = panel.view.model().match(
        panel.view.model().index(0, 0),
        Qt.ItemDataRole.DisplayRole,
        text,
        1,
        Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive,
    )
    assert found, text
    return found[0]


def entry(panel: WorkspacePanel, index: QModelIndex, text: str) -> QAction:
    """An entry of the menu of a row; what was made for the others ends with the panel."""
    panel.view.scrollTo(index)
    for section in panel._offered(panel.view.visualRect(index).center()):
        for action in section:
            action.setParent(panel)
            if action.text() == text:
                return action
    pytest.fail(f"no {text}")


def test_a_project_is_one_entry_with_its_sessions_newest_first(
    window: MainWindow, panel: WorkspacePanel, project: Path
) -> None:
    folder = opened(window, project)
    assert shown(panel) == ["Traces", "  -home-me-shop", "    Title c3", "    Title b2", "    Title a1"]
    panel.view.expand(row(panel, "Title b2"))
    assert len(shown(panel)) == 6
    assert shown(panel)[4].startswith("      ")
    assert not window.desk.workspace.files.in_order
    index = row(panel, "-home-me-shop")
    assert index.data(Role.CAPTION) == "3 sessions"
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith(f"{project}\n3 sessions · 1 sub-agent · ")
    assert "2 files that their program keeps beside them" in tip
    size = project.joinpath("b2.jsonl").stat().st_size
    assert folder.by_path[project / "b2.jsonl"].outline.size_bytes == size
    second = row(panel, "Title b2").data(Role.SECOND_LINE)
    assert "05-01 " in second
    assert f" · {size / 1e3:,.0f} kB · large · " in second
    assert "turn" in second  # counted in the background
    assert "tokens in" in row(panel, "Title b2").data(Qt.ItemDataRole.ToolTipRole)


def test_a_session_is_read_when_somebody_stays_on_it(
    window: MainWindow, panel: WorkspacePanel, project: Path
) -> None:
    opened(window, project)
    files = window.desk.workspace.files
    view = panel.view
    view.setFocus()
    assert view.currentIndex().data() == "-home-me-shop"
    for _step in range(2):  # over the newest
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert wait_for(lambda: [file.state for file in files] == [FileState.READY])
    (file,) = files
    assert (file.name, file.label) == ("b2.jsonl", "Title b2")
    assert window.desk.workspace.selection.value == Selection(file.number)
    assert view.currentIndex().data() == "Title b2"
    assert shown(panel)[0] == "Traces"
    assert sum("Title b2" in line for line in shown(panel)) == 1
    assert row(panel, "Title b2").data(Role.CAPTION) == "2 traces"
    window.desk.perform("close-file")
    assert not files.in_order
    assert not row(panel, "Title b2").data(Role.CAPTION)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert len(files) == 1


def test_the_order_is_chosen_in_the_menu(window: MainWindow, panel: WorkspacePanel, project: Path) -> None:
    opened(window, project)
    panel.view.setCurrentIndex(row(panel, "Title a1"))
    for text, names in (("title", "a1 b2 c3"), ("size", "b2 c3 a1"), ("tokens", "c3 b2 a1"), ("start", "c3 b2 a1")):
        entry(panel, row(panel, "-home-me-shop"), f"Sort by {text}").trigger()
        assert [line.split()[-1] for line in shown(panel)[2:]] == names.split(), text
        assert panel.view.currentIndex().data() == "Title a1"
    assert entry(panel, row(panel, "-home-me-shop"), "Sort by start").isChecked()
    assert window.desk.settings.value("sessions/order") == Order.START.name
    assert wait_for(lambda: not window.desk.jobs.busy)


def test_rows_that_cannot_be_read_stay_rows(window: MainWindow, panel: WorkspacePanel, project: Path) -> None:
    (project / "empty.jsonl").write_bytes(b"")
    (project / "damaged.jsonl").write_text("no session\n", encoding="utf-8")
    put(project / "gone" / "subagents" / "agent-y8.jsonl", sub_agent("gone", "y8"))
    put(project / "twin.jsonl", session("twin", "Title a1"))
    folder = opened(window, project)
    rows = shown(panel)
    assert rows.count("    Title a1") == 2
    assert {"    empty.jsonl", "    damaged.jsonl"} <= set(rows)
    assert row(panel, "empty.jsonl").data(Role.SECOND_LINE) == "is empty"
    assert row(panel, "damaged.jsonl").data(Role.SECOND_LINE) == "11 B · not known by its beginning"
    (orphan,) = [each for each in folder.tops if each.outline.parent == "gone"]
    assert panel.view.model().index_of(orphan.number).data(Role.ICON) == "agent"  # type: ignore[attr-defined]
    sessions = window.desk.workspace.session_folders
    (project / "a1.jsonl").unlink()
    sessions.choose(folder.by_path[project / "a1.jsonl"].number)
    (file,) = window.desk.workspace.files
    assert wait_for(lambda: file.state is FileState.FAILED)
    assert panel.view.currentIndex().data(Role.CAPTION) == "could not be read"
    window.desk.workspace.files.close(file.number)
    entry(panel, row(panel, "-home-me-shop"), "List again").trigger()
    assert wait_for(lambda: not folder.listing)
    assert project / "a1.jsonl" not in folder.by_path
    assert shown(panel).count("    Title a1") == 1
    assert wait_for(lambda: not window.desk.jobs.busy)


def test_a_file_that_went_while_it_was_listed_says_so(
    window: MainWindow, panel: WorkspacePanel, project: Path
) -> None:
    path = project / "a1.jsonl"
    why = "The file could not be read (Permission denied)."
    message = SessionsListed(project, (), ((path, why),), total=1)
    window.desk.workspace.files.sessions_listed.emit(message)
    assert row(panel, "a1.jsonl").data(Role.CAPTION) == "could not be read"
    assert why in row(panel, "a1.jsonl").data(Qt.ItemDataRole.ToolTipRole)
    window.desk.workspace.files.sessions_listed.emit(SessionsListed(project, (Outline(path, 0),), total=1))
    assert not row(panel, "a1.jsonl").data(Role.CAPTION)


def test_sessions_of_codex_stand_in_folders_of_days(
    window: MainWindow, panel: WorkspacePanel, tmp_path: Path
) -> None:
    for day in ("29", "30"):
        put(tmp_path / "sessions" / "2026" / "11" / day / f"rollout-{day}.jsonl", codex_files.rollout())
    opened(window, tmp_path / "sessions")
    assert row(panel, "sessions").data(Role.CAPTION) == "2 sessions"


@pytest.mark.parametrize("beside", ["notes.json", "data.jsonl"])
def test_the_files_of_a_mixed_folder_are_opened(
    window: MainWindow, panel: WorkspacePanel, project: Path, beside: str
) -> None:
    case: Json = {"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}}]}
    put(project / beside, [{"eval_set_id": "s", "eval_cases": [case]}])
    open_paths(window.desk, [project])
    files = window.desk.workspace.files
    assert wait_for(lambda: len(files) >= 6 and not window.desk.jobs.busy)
    assert not window.desk.workspace.session_folders.by_number
    assert "  Title a1" in shown(panel)


def test_with_goldens_all_sessions_are_read(window: MainWindow, project: Path, tmp_path: Path) -> None:
    case: Json = {"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}}]}
    golden = put(tmp_path / "golden.json", [{"eval_set_id": "s", "eval_cases": [case]}])
    window.desk.workspace.first_look.open_given([str(project)], [str(golden)])
    assert wait_for(lambda: len(window.desk.workspace.files) >= 5)
    assert not window.desk.workspace.session_folders.by_number
    assert wait_for(lambda: not window.desk.jobs.busy)


def test_all_are_read_on_request_and_closed_with_their_folder(
    window: MainWindow, panel: WorkspacePanel, project: Path
) -> None:
    folder = opened(window, project)
    files = window.desk.workspace.files
    entry(panel, row(panel, "-home-me-shop"), "Read all sessions").trigger()
    assert wait_for(lambda: len(files) == 4 and all(file.state is FileState.READY for file in files))
    assert len(shown(panel)) == 5
    entry(panel, row(panel, "-home-me-shop"), "Close folder").trigger()
    assert not files.in_order
    assert shown(panel) == []
    assert not window.desk.workspace.session_folders.rows
    window.desk.perform("reopen")
    assert wait_for(lambda: bool(window.desk.workspace.session_folders.by_number))
    assert next(iter(window.desk.workspace.session_folders.by_number.values())).path == folder.path
    assert wait_for(lambda: not window.desk.jobs.busy)


def test_a_file_that_was_open_moves_into_its_folder(window: MainWindow, panel: WorkspacePanel, project: Path) -> None:
    open_paths(window.desk, [project / "a1.jsonl"])
    assert wait_for(lambda: not window.desk.jobs.busy)
    (file,) = window.desk.workspace.files
    opened(window, project)
    assert [line for line in shown(panel) if "a1" in line] == ["    Title a1"]
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert selection.file == file.number
    assert panel.view.currentIndex().data() == "Title a1"


def test_a_new_session_is_listed_as_it_appears(
    window: MainWindow, panel: WorkspacePanel, project: Path, wait_long: Callable[[Callable[[], bool]], bool]
) -> None:
    opened(window, project)
    put(project / "d4.jsonl", session("d4", "Title d4", minutes=300))
    assert wait_long(lambda: "    Title d4" in shown(panel))
    assert shown(panel)[2] == "    Title d4"
    assert not window.desk.workspace.files.in_order
    assert wait_for(lambda: not window.desk.jobs.busy)


@pytest.fixture
def wait_long() -> Callable[[Callable[[], bool]], bool]:
    return lambda there: wait_for(there) or wait_for(there)


def test_menus_have_no_entry_twice(window: MainWindow, panel: WorkspacePanel, project: Path) -> None:
    opened(window, project)
    for name in ("-home-me-shop", "Title a1"):
        index = row(panel, name)
        panel.view.scrollTo(index)
        texts = []
        for section in panel._offered(panel.view.visualRect(index).center()):
            for action in section:
                action.setParent(panel)
                texts.append(action.text())
        assert len(texts) == len(set(texts)) > 6
    panel._offer_orders()
    (menu,) = panel._order.findChildren(QMenu)
    assert menu.actions()[0].text() == "Sort by start"
    menu.close()


def test_the_list_is_seen_in_a_small_window(window: MainWindow, project: Path) -> None:
    window.resize(1100, 700)
    opened(window, project)
    assert window.docks.is_shown("workspace")
    panel = window.desk.docks["workspace"].widget()
    assert isinstance(panel, WorkspacePanel)
    assert panel.view.currentIndex().data() == "-home-me-shop"
    assert wait_for(window.commands.actions["show-workspace"].isEnabled)
    assert not window.commands.actions["view-tree"].isEnabled()


def test_what_is_put_into_the_folder_is_opened_unless_its_program_did(
    window: MainWindow, panel: WorkspacePanel, project: Path
) -> None:
    opened(window, project)
    (project / "b2" / "subagents" / "agent-z9.meta.json").write_text('{"agentType": "Plan"}', encoding="utf-8")
    put(project / "set.json", [{"eval_set_id": "s", "eval_cases": []}])
    assert wait_for(lambda: bool(window.desk.workspace.files.in_order)) or wait_for(lambda: False)
    assert [file.name for file in window.desk.workspace.files] == ["set.json"]
    assert wait_for(lambda: not window.desk.jobs.busy)
    assert window.desk.workspace.session_folders.by_number
    assert sum("Title" in line for line in shown(panel)) == 3


def test_the_neighbour_of_a_session_that_is_gone_is_not_read(
    window: MainWindow, panel: WorkspacePanel, project: Path, wait_long: Callable[[Callable[[], bool]], bool]
) -> None:
    folder = opened(window, project)
    view = panel.view
    view.setCurrentIndex(row(panel, "Title b2"))
    panel._rest.stop()
    (project / "b2.jsonl").unlink()
    assert wait_long(lambda: project / "b2.jsonl" not in folder.by_path)
    assert view.currentIndex().data() == "Title a1"
    assert not panel._rest.isActive()
    assert wait_for(lambda: not window.desk.jobs.busy)
    assert not window.desk.workspace.files.in_order
    assert sum("agent" in path.name for path in folder.by_path) == 1


def test_what_was_empty_says_what_it_is_once_it_is_written(
    window: MainWindow, panel: WorkspacePanel, project: Path, wait_long: Callable[[Callable[[], bool]], bool]
) -> None:
    (project / "e5.jsonl").touch()
    opened(window, project)
    assert "    e5.jsonl" in shown(panel)
    put(project / "e5.jsonl", session("e5", "Title e5"))
    assert wait_long(lambda: "    Title e5" in shown(panel))
    assert wait_for(lambda: not window.desk.jobs.busy)


def test_a_folder_is_closed_with_the_keys_of_a_file(window: MainWindow, panel: WorkspacePanel, project: Path) -> None:
    opened(window, project)
    window.show()
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert not window.desk.workspace.session_folders.by_number
