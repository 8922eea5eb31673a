"""One undo step for edits of several files: undone all together, also where one file refuses or is not edited now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.models.test_goldens import eval_set
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.golden.bulk_requests import Making, ShapeCases

WORDS = "Add to both"
Counts = Callable[[], list[int]]


@pytest.fixture
def files(opened: Callable[..., OpenFile], workspace: Workspace, tmp_path: Path) -> list[OpenFile]:
    opened(*(eval_set(tmp_path / f"{name}.evalset.json", "Graz") for name in ("one", "two")))
    return list(workspace.files.in_order)


@pytest.fixture
def counts(workspace: Workspace, files: list[OpenFile]) -> Counts:
    return lambda: [len(workspace.goldens.places(file.number)) for file in files]


def made(workspace: Workspace, what: Mapping[int, Making]) -> list[Mapping[int, str]]:
    told: list[Mapping[int, str]] = []
    workspace.goldens.make_together(WORDS, what, told.append)
    return told


def test_undone_and_made_again_as_one_step(
    workspace: Workspace, files: list[OpenFile], counts: Counts, settled: Callable[[], None]
) -> None:
    before = [file.path.read_bytes() for file in files]
    told = made(workspace, {file.number: ShapeCases("add") for file in files})
    settled()
    assert (told, counts()) == ([{}], [2, 2])
    assert (workspace.steps.count(), workspace.steps.undoText()) == (1, WORDS)
    for _ in range(2):
        workspace.steps.undo()
        settled()
        assert (counts(), workspace.goldens.unsaved) == ([1, 1], [])
        workspace.steps.redo()
        settled()
        assert counts() == [2, 2]
    workspace.steps.undo()
    settled()
    for file in files:
        workspace.goldens.save(file.number)
    settled()
    assert [file.path.read_bytes() for file in files] == before


def test_a_file_that_changed_nothing_is_no_part(
    workspace: Workspace, files: list[OpenFile], counts: Counts, settled: Callable[[], None]
) -> None:
    one, two = (file.number for file in files)
    told = made(workspace, {one: ShapeCases("add"), two: ShapeCases("delete", ("/nowhere",))})
    settled()
    assert [*told[0]] in ([], [two])
    assert counts() == [2, 1]
    said: list[str] = []
    workspace.messages.posted.connect(said.append)
    workspace.steps.undo()
    settled()
    assert counts() == [1, 1]
    assert not any("undone in" in sentence for sentence in said)
    assert workspace.steps.index() == 0


def test_of_a_file_that_is_closed_the_other_is_undone_and_that_is_told(
    workspace: Workspace, files: list[OpenFile], counts: Counts, settled: Callable[[], None]
) -> None:
    made(workspace, {file.number: ShapeCases("add") for file in files})
    settled()
    said: list[str] = []
    workspace.messages.posted.connect(said.append)
    workspace.goldens.leave(files[1].number, forget=True)
    assert workspace.steps.undoText() == WORDS
    workspace.steps.undo()
    settled()
    assert counts()[0] == 1
    assert f"“{WORDS}” is undone in 1 of 2 files: the others were closed, or read anew from the disk." in said
    workspace.goldens.leave(files[0].number, forget=True)
    assert workspace.steps.count() == 0


def test_a_refused_undo_of_one_file_is_refused_for_all(
    workspace: Workspace, files: list[OpenFile], counts: Counts, settled: Callable[[], None]
) -> None:
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("no limits for another process here")
    one, two = (file.number for file in files)
    for _ in range(40):  # so that its journal is the longer one
        workspace.goldens.make(one, "Add", lambda _places: ShapeCases("add"))
    settled()
    made(workspace, {one: ShapeCases("add"), two: ShapeCases("add")})
    settled()
    before, index = counts(), workspace.steps.index()
    edited = workspace.goldens.edited(one)
    assert edited is not None
    limit = Path(edited.journal).stat().st_size
    resource.prlimit(edited.process, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    workspace.steps.undo()
    settled()
    assert (counts(), workspace.steps.index(), workspace.steps.undoText()) == (before, index, WORDS)
    no_limit = resource.RLIM_INFINITY
    resource.prlimit(edited.process, resource.RLIMIT_FSIZE, (no_limit, no_limit))
    workspace.steps.undo()
    settled()
    assert counts() == [before[0] - 1, before[1] - 1]
    assert workspace.steps.index() == index - 1
