"""The cache of this program: in its data folder, or nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from trace_inspector import settings
from trace_inspector.flows.opening import index_entries
from trace_inspector.store.program import program_name


def no_tick() -> None:
    """Nobody stops."""


def test_it_lies_in_the_data_folder() -> None:
    assert index_entries.index_cache().folder.parent == settings.data_folder()


def test_without_a_home_nothing_is_kept_and_nothing_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(index_entries, "data_folder", homeless)
    file = tmp_path / "large.json"
    file.write_bytes(bytes(index_entries.WORTH_BYTES))
    cache = index_entries.index_cache()
    with index_entries.draft(cache, file) as draft:
        pass
    assert draft.problem.startswith(f"The index of {file} is not kept: ")
    assert index_entries.stored_entry(cache, file, no_tick) is None
    assert cache.size_bytes() == 0


def test_the_program_is_the_same_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert program_name() == program_name()
    before = program_name()
    monkeypatch.setattr("trace_inspector.store.program.LAYOUT", "other columns")
    assert program_name() != before
    packaged = tmp_path / "package" / "store" / "program.pyc"
    monkeypatch.setattr("trace_inspector.store.program.__file__", str(packaged))
    alone = program_name()
    (tmp_path / "package" / "core").mkdir(parents=True)
    (tmp_path / "package" / "core" / "a.py").write_text("a = 1", "utf-8")
    assert program_name() not in (alone, before)
