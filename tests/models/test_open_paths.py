"""A file is open once, by whatever path somebody comes to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.helpers.eval_sets import case, turn, write_eval_set
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs

WAIT_MS = 60_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_eval_set(tmp_path / "file.json", case("c", turn("hi", "hello")))


@pytest.fixture
def read(qtbot: QtBot, jobs: Jobs) -> Callable[[], None]:
    return lambda: qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)


@pytest.mark.parametrize("spelled", ["link.json", "inner/../file.json", "linked/file.json"])
def test_a_file_is_open_once_by_whatever_path_somebody_comes_to_it(
    workspace: Workspace, read: Callable[[], None], file: Path, spelled: str
) -> None:
    messages: list[str] = []
    workspace.messages.posted.connect(messages.append)
    (file.parent / "inner").mkdir()
    (file.parent / "link.json").symlink_to(file)
    (file.parent / "linked").symlink_to(file.parent)
    other = file.parent / spelled
    for number, (first, second) in enumerate(((file, other), (other, file)), start=1):
        workspace.files.open([first])
        read()
        workspace.selection.select(None)
        workspace.files.open([second])
        (shown,) = workspace.files
        assert (shown.path, shown.number) == (first, number)
        assert messages.pop() == f"{second} is the same file as {first}, which is already open."
        assert workspace.selection.value == Selection(number)
        workspace.files.close(number)


def test_a_link_that_leads_elsewhere_meanwhile_is_still_the_file_that_was_opened_by_it(
    workspace: Workspace, read: Callable[[], None], file: Path
) -> None:
    other, link = file.with_name("other.json"), file.with_name("link.json")
    other.write_bytes(file.read_bytes())
    link.symlink_to(file)
    workspace.files.open([link])
    link.unlink()
    link.symlink_to(other)
    workspace.files.open([other, link])
    read()
    assert [shown.path for shown in workspace.files] == [link, other]
    workspace.files.close(1)
    workspace.files.open([link, file])
    read()
    assert [shown.path for shown in workspace.files] == [other, file]
