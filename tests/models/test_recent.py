from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from trace_inspector.models.files.recent import KEPT, Recent


def of(path: Path) -> Recent:
    return Recent(QSettings(str(path / "window.ini"), QSettings.Format.IniFormat))


def test_what_was_opened_last_stands_first_and_once(tmp_path: Path) -> None:
    recent = of(tmp_path)
    recent.add([Path("/a"), Path("/b, c")])
    recent.add([Path("/a")])
    assert recent.paths == (Path("/a"), Path("/b, c"))


@pytest.mark.parametrize("count", [1, 2, KEPT + 5])
def test_it_is_remembered_and_bounded(tmp_path: Path, count: int) -> None:
    first = of(tmp_path)
    first.add([Path(f"/{number}") for number in range(count)])
    first._settings.sync()
    assert of(tmp_path).paths == tuple(Path(f"/{number}") for number in reversed(range(count)))[:KEPT]


def test_it_can_be_forgotten(tmp_path: Path) -> None:
    recent = of(tmp_path)
    recent.add([Path("/a")])
    recent.clear()
    assert recent.paths == ()


def test_what_is_no_list_of_names_is_nothing(tmp_path: Path) -> None:
    recent = of(tmp_path)
    recent._settings.setValue("recent", {"a": 1})
    assert recent.paths == ()
