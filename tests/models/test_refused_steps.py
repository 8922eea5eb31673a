"""Undo on a full disk: it is refused, the steps stay where they are, and the same keys work once there is room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.models.test_goldens import city_of, eval_set, with_city
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.workspace.workspace import Workspace

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="no limits for another process here")
NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def test_what_was_refused_can_be_tried_again(
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    path = eval_set(tmp_path / "weather.evalset.json", "Graz", "Linz")
    file = opened(path)
    first, second = workspace.goldens.places(file.number)
    for place, city in ((first, "Wels"), (first, "Bonn"), (second, "Bari")):
        workspace.goldens.change(file.number, place, f"Set {city}", with_city(city))
    settled()
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    held = Path(edited.journal).stat().st_size
    resource.prlimit(edited.process, resource.RLIMIT_FSIZE, (held, resource.RLIM_INFINITY))
    workspace.steps.undo()
    workspace.steps.undo()
    settled()
    assert (workspace.steps.index(), workspace.steps.undoText()) == (3, "Set Bari")
    assert [city_of(workspace, file.number, place) for place in (first, second)] == ["Bonn", "Bari"]
    resource.prlimit(edited.process, resource.RLIMIT_FSIZE, NO_LIMIT)
    for wanted in (["Bonn", "Linz"], ["Wels", "Linz"], ["Graz", "Linz"]):
        workspace.steps.undo()
        settled()
        assert [city_of(workspace, file.number, place) for place in (first, second)] == wanted
    assert not edited.is_changed
    held = Path(edited.journal).stat().st_size if Path(edited.journal).exists() else 0
    resource.prlimit(edited.process, resource.RLIMIT_FSIZE, (held, resource.RLIM_INFINITY))
    workspace.steps.redo()
    settled()
    assert (workspace.steps.index(), workspace.steps.redoText()) == (0, "Set Wels")
    assert city_of(workspace, file.number, first) == "Graz"
    resource.prlimit(edited.process, resource.RLIMIT_FSIZE, NO_LIMIT)
    workspace.steps.redo()
    settled()
    assert city_of(workspace, file.number, first) == "Wels"


def test_of_what_was_typed_all_is_taken_back_or_nothing(
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    file = opened(eval_set(tmp_path / "weather.evalset.json", "Graz"))
    (place,) = workspace.goldens.places(file.number)
    sizes: list[int] = []
    for city in ("Wels", "Bonn", "Bari"):
        workspace.goldens.change(file.number, place, "Type the city", with_city(city), key="city")
        settled()
        edited = workspace.goldens.edited(file.number)
        assert edited is not None
        sizes.append(Path(edited.journal).stat().st_size)
    assert workspace.steps.count() == 1
    assert edited is not None
    room = 2 * (sizes[2] - sizes[1]) + 2  # for two of the three records
    resource.prlimit(edited.process, resource.RLIMIT_FSIZE, (sizes[2] + room, resource.RLIM_INFINITY))
    workspace.steps.undo()
    settled()
    assert (workspace.steps.index(), city_of(workspace, file.number, place)) == (1, "Bari")
    assert Path(edited.journal).stat().st_size == sizes[2]
    resource.prlimit(edited.process, resource.RLIMIT_FSIZE, NO_LIMIT)
    workspace.steps.undo()
    settled()
    assert (workspace.steps.index(), city_of(workspace, file.number, place)) == (0, "Graz")
    assert not edited.is_changed
