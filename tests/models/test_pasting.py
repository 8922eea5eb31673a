from __future__ import annotations

import json
from pathlib import Path

from trace_inspector.models.pasting import pasted


def test_a_path_stands_for_its_file(tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    file.write_text("{}")
    for text in (str(file), f'  "{file}"\n', f"'{file}'"):
        assert pasted(text, tmp_path) == [file]
    assert pasted(f"{file}#/cases/0", tmp_path) == [Path(f"{file}#/cases/0")]


def test_any_other_text_becomes_a_file_each_its_own(tmp_path: Path) -> None:
    first, second = pasted('{"a": "é"}', tmp_path)[0], pasted('{"b": 2}', tmp_path)[0]
    assert first != second
    assert json.loads(first.read_bytes()) == {"a": "é"}
    assert json.loads(second.read_bytes()) == {"b": 2}
    assert first.parent.stat().st_mode & 0o077 == 0


def test_hostile_text_is_text(tmp_path: Path) -> None:
    for text in ("\x00", "a" * 5_000, "/" + "n" * 300, "\ud800"):
        (made,) = pasted(text, tmp_path)
        assert made.parent.parent == tmp_path


def test_nothing_is_nothing(tmp_path: Path) -> None:
    assert pasted(" \n", tmp_path) == []
    assert list(tmp_path.iterdir()) == []
