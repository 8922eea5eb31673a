"""The codebook as a file: git merges it, nobody's change is written over, bad ones are told with their place."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from trace_inspector.core.errors import ChangedOnDiskError, ReadError, UsageError
from trace_inspector.core.review.codebook import Codebook, Mode
from trace_inspector.flows.review.codebook_file import load_codebook, own_codebook, save_codebook
from trace_inspector.flows.review.failures import codebook_beside

SUBJECTS = tuple(f"{number:064x}" for number in range(40))


def git(folder: Path, *words: str) -> None:
    own = ("-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def test_git_merges_what_two_people_did_to_different_modes(tmp_path: Path) -> None:
    path = tmp_path / "codebook.toml"
    modes = tuple(Mode(name, "Described.", outputs=SUBJECTS[:20]) for name in ("a", "b", "c"))
    saved = save_codebook(load_codebook(path), Codebook(modes))
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "both")
    git(tmp_path, "checkout", "-b", "ben")
    save_codebook(saved, saved.book.placed("c", SUBJECTS[20:22]).renamed("c", "cc"))
    git(tmp_path, "commit", "-am", "ben")
    git(tmp_path, "checkout", "main")
    saved = load_codebook(path)
    save_codebook(saved, saved.book.described("a", "Other words.").placed("a", SUBJECTS[30:]))
    git(tmp_path, "commit", "-am", "ana")
    git(tmp_path, "merge", "ben", "-m", "merged")
    merged = load_codebook(path).book
    assert [mode.name for mode in merged.modes] == ["a", "b", "cc"]
    assert merged.mode("a").description == "Other words."
    assert (len(merged.mode("a").outputs), len(merged.mode("c").outputs)) == (30, 22)


def test_a_change_by_somebody_else_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "codebook.toml"
    mine = load_codebook(path)
    theirs = save_codebook(load_codebook(path), Codebook((Mode("theirs"),)))
    with pytest.raises(ChangedOnDiskError, match="Make your change once more"):
        save_codebook(mine, Codebook((Mode("mine"),)))
    assert load_codebook(path) == theirs
    assert save_codebook(theirs, Codebook((Mode("both"),))) == load_codebook(path)


def test_the_one_of_the_data_folder_is_for_its_owner_alone() -> None:
    saved = save_codebook(load_codebook(own_codebook()), Codebook((Mode("a"),)))
    if os.name == "posix":
        assert stat.S_IMODE(saved.path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"[[mode]]\nname = 'a'\n>>>>>>> ben\n", r"codebook.toml:3:1: Git left a conflict"),
        (b"\xff", "not UTF-8"),
        (b"[[mode]]\nname = 1\n", "Mode 1: “name” must be a text"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "codebook.toml"
    path.write_bytes(data)
    with pytest.raises(ReadError, match=sentence) as told:
        load_codebook(path)
    assert str(path) in str(told.value)


def test_a_folder_is_no_codebook(tmp_path: Path) -> None:
    with pytest.raises(ReadError):
        load_codebook(tmp_path)


def test_a_codebook_stands_beside_its_labels(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    assert codebook_beside([first, second]) is None
    (first / "codebook.toml").touch()
    assert codebook_beside([first / "Ana.jsonl", second]) == first / "codebook.toml"
    (second / "codebook.toml").touch()
    with pytest.raises(UsageError, match="--codebook"):
        codebook_beside([first, second])
