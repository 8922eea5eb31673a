"""Folders with a file for each rater: what is read, and what is said of files that are none."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from trace_inspector.core.errors import ReadError
from trace_inspector.core.review.label import Answer, Label, Level
from trace_inspector.core.review.label_lines import LONGEST_LINE_BYTES, label_line
from trace_inspector.flows.review.label_files import read_label_files

ANA = Label("ab" * 32, Level.TURN, "overall", Answer.PASS, rater="Ana")
BEN = Label("ab" * 32, Level.TURN, "overall", Answer.FAIL, rater="Ben")


def test_a_folder_is_the_files_of_its_raters_and_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    for label in (BEN, ANA):
        (tmp_path / f"{label.rater}.jsonl").write_text(label_line(label) + "\n", "utf-8")
    (tmp_path / "notes.txt").write_text("no labels", "utf-8")
    read = read_label_files([tmp_path, tmp_path / "Ben.jsonl"])
    assert read.labels == (ANA, BEN)
    assert not read.findings


def test_a_line_without_end_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    endless = "x" * (3 * LONGEST_LINE_BYTES)
    path.write_text(f"{label_line(ANA)}\n{endless}\n{label_line(BEN)}", "utf-8")
    read = read_label_files([path])
    assert read.labels == (ANA, BEN)
    ((of, finding),) = read.findings
    assert (of, finding.line) == (str(path), 2)


def test_what_is_no_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"no such file of labels"):
        read_label_files([tmp_path / "none.jsonl"])
    with pytest.raises(ReadError, match=r"No file can have this name"):
        read_label_files([tmp_path / "a\0b"])
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe.jsonl")
        with pytest.raises(ReadError, match=r"no regular file"):
            read_label_files([tmp_path])
