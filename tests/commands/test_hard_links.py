"""A file with several names: a save writes it anew under one, and says that the others keep what they held."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.models.test_goldens import eval_set
from trace_inspector import cli
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.saving.saving import save

ONE = "Another name of the same file on this disk (hard links) keeps what a.evalset.json held before."


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Path, Path]:
    """Two names of one file."""
    path, other = eval_set(tmp_path / "a.evalset.json", "Graz"), tmp_path / "other.json"
    os.link(path, other)
    return path, other


def test_edit_says_that_another_name_keeps_what_it_held(
    linked: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path, other = linked
    before = other.read_bytes()
    assert cli.main(["edit", str(path), "--set", '/eval_set_id="x"']) == 0
    assert ONE in capsys.readouterr().err
    assert (other.read_bytes(), b'"x"' in path.read_bytes()) == (before, True)
    assert cli.main(["edit", str(path), "--set", '/eval_set_id="y"']) == 0
    assert capsys.readouterr().err == "", "it has one name now"


def test_edit_and_convert_say_it_of_what_they_write_over(
    linked: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _other = linked
    source = eval_set(tmp_path / "source.evalset.json", "Linz")
    assert cli.main(["edit", str(source), "--set", '/eval_set_id="x"', "-o", str(path)]) == 0
    assert ONE in capsys.readouterr().err
    os.link(path, tmp_path / "again.json")
    assert cli.main(["convert", str(source), "--to", "adk-eval-set", "-o", str(path)]) == 0
    assert ONE in capsys.readouterr().err
    assert path.read_bytes() == source.read_bytes()


def test_promoting_into_a_file_says_it(
    linked: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _other = linked
    source = eval_set(tmp_path / "source.evalset.json", "Linz")
    assert cli.main(["promote", str(source), "--into", str(path)]) == 0
    assert ONE in capsys.readouterr().err


def test_several_other_names_are_counted_and_nothing_is_said_where_nothing_was_written_over(tmp_path: Path) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz")
    notes: list[str] = []
    document = save(read(path), note=notes.append)
    save(document, tmp_path / "new.json", note=notes.append)
    assert notes == []
    for number in range(3):
        os.link(path, tmp_path / f"{number}.json")
    save(read(path), note=notes.append)
    assert notes == ["3 other names of the same file on this disk (hard links) keep what a.evalset.json held before."]
