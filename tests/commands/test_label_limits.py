"""What is accepted as a label can be read again, and one that cannot be read costs nobody the others."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.small_set import small_set
from trace_inspector.cli import main
from trace_inspector.resources import folder
from trace_inspector.settings import data_folder
from trace_inspector.store.database import FILE_NAME

ANSWER = {"value": "pass", "rater": "Ana"}
LABEL: dict[str, Any] = {"subject": "ab" * 32, "level": "turn", "question": "overall"} | ANSWER


def file_of(path: Path, *labels: str) -> str:
    path.write_text("".join(f"{label}\n" for label in labels), "utf-8")
    return str(path)


def grown(text: str) -> str:
    """A label with an unknown member."""
    return json.dumps(LABEL)[:-1] + f', "x": {text}}}'


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ("[" + ",".join(["1e22"] * 100_000) + "]", "longer than 1,048,576 bytes once numbers are written out"),
        ("[" * 900 + "]" * 900, "nested more than 100 deep"),
    ],
)
def test_what_could_not_be_read_again_is_no_label(
    member: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = file_of(tmp_path / "given.jsonl", grown(member), json.dumps(LABEL))
    assert main(["labels", "import", given]) == 1
    said = capsys.readouterr()
    assert "1 label stored" in said.out
    assert words in said.err
    assert main(["labels", "merge", given, "-o", str(tmp_path / "merged.jsonl")]) == 1
    assert main(["labels", "export", "-o", str(tmp_path / "out.jsonl")]) == 0
    assert json.loads((tmp_path / "out.jsonl").read_text("utf-8")) == LABEL


def test_a_stored_label_that_cannot_be_read_is_left_out_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _goldens, recording = small_set(tmp_path)
    queue, out, report = tmp_path / "q.jsonl", tmp_path / "out.jsonl", tmp_path / "r.html"
    assert main(["labels", "sample", str(recording), "--question", "overall", "--n", "5", "-o", str(queue)]) == 0
    answered = [json.loads(line) | ANSWER for line in queue.read_text("utf-8").splitlines()]
    assert main(["labels", "import", file_of(tmp_path / "a.jsonl", *map(json.dumps, answered))]) == 0
    overruling = json.dumps(answered[0] | {"overrules": True, "value": "fail"})
    assert main(["labels", "import", file_of(tmp_path / "o.jsonl", overruling)]) == 0
    odd = {b"1": '{"overrules": true, "x": ' + "[" * 900 + "]" * 900 + "}", b"2": b'{"overrules": true}\xff'}
    with sqlite3.connect(data_folder() / FILE_NAME) as store:
        for digest, line in odd.items():
            insert = "INSERT INTO label (digest, subject, line) VALUES (?, ?, CAST(? AS TEXT))"
            store.execute(insert, (digest, answered[0]["subject"], line))
    store.close()
    words = ["evaluate", str(recording), "--fail-on", "never", "--report", f"html={report}"]
    assert main(words) == 0
    assert main(words) == 0  # whose overrules are read with its outputs
    assert report.exists()
    capsys.readouterr()
    assert main(["labels", "export", "-o", str(out)]) == 1
    said = capsys.readouterr()
    assert "6 labels written" in said.out
    assert said.err.count("It is left out.") == 2
    with sqlite3.connect(data_folder() / FILE_NAME) as store:
        assert store.execute("SELECT count(*) FROM label").fetchone() == (8,)
    store.close()


def test_answers_that_contradict_each_other_without_a_time_are_told_and_keep_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [json.dumps(LABEL | {"value": value}) for value in ("pass", "fail")]
    first = file_of(tmp_path / "a.jsonl", *answers)
    second = file_of(tmp_path / "b.jsonl", json.dumps(LABEL | {"subject": "cd" * 32}))
    out = tmp_path / "m.jsonl"
    assert main(["labels", "merge", first, second, "-o", str(out)]) == 0
    assert [line for line in out.read_text("utf-8").splitlines() if "abab" in line] == answers
    assert "Once the same rater" in capsys.readouterr().err
    for given, told in ((second, False), (first, True), (file_of(tmp_path / "p.jsonl", answers[0]), True)):
        assert main(["labels", "import", given]) == 0
        assert ("Once the same rater" in capsys.readouterr().err) is told


def test_a_quotation_mark_that_is_never_closed_swallows_no_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f'{number:064x},turn,overall,pass,Ana,"two\nlines"' for number in range(9)]
    rows.insert(1, f'{99:064x},turn,overall,fail,Ana,"he said stop')
    head = "subject,level,question,value,rater,note"
    table, out = tmp_path / "t.csv", tmp_path / "out.jsonl"
    for given in ([head, *rows], [head, rows[0], rows[1]]):
        assert main(["labels", "merge", file_of(table, *given), "-o", str(out)]) == 2
        assert "line 4 on" in capsys.readouterr().err
    assert main(["labels", "import", file_of(table, head, rows[0], f"{rows[2]},more", f"{rows[3]},,")]) == 1
    said = capsys.readouterr()
    assert "2 labels stored" in said.out
    assert f"{table}:4: This is no label: it has 7 cells for 6 columns" in said.err


@pytest.mark.parametrize("name", ["answered.jsonl", "answered.csv"])
def test_nothing_is_written_over_answers_that_would_be_lost(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _goldens, recording = small_set(tmp_path)
    queue, answered = tmp_path / "q.jsonl", tmp_path / name
    sample = ["labels", "sample", str(recording), "--question", "overall", "--n", "5", "-o", str(queue)]
    assert main(sample) == 0
    assert main(sample) == 0  # nobody answered anything
    lines = queue.read_text("utf-8").splitlines()
    file_of(queue, *(json.dumps(json.loads(line) | ANSWER | {"note": "a\tb"}) for line in lines[:2]), *lines[2:])
    before = queue.read_bytes()
    assert main(sample) == 2
    assert "holds 2 answers that would be lost" in capsys.readouterr().err
    assert queue.read_bytes() == before
    for _twice in range(2):  # the same again loses nothing
        assert main(["labels", "merge", str(queue), "-o", str(answered)]) == 0
    empty = file_of(tmp_path / "empty.jsonl")
    assert main(["labels", "merge", empty, "-o", str(answered)]) == 2
    assert main(["labels", "export", "-o", str(answered)]) == 2
    assert main(["labels", "import", str(queue)]) == 0
    assert main(["labels", "export", "-o", str(tmp_path / "other.jsonl")]) == 0


def test_a_path_that_is_too_long_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, long = file_of(tmp_path / "a.jsonl", json.dumps(LABEL)), str(tmp_path / ("n" * 300))
    wrong = [
        ["labels", "import", long],
        ["labels", "merge", long, "-o", str(tmp_path / "out.jsonl")],
        ["labels", "merge", given, "-o", long],
        ["labels", "merge", given, "-o", f"{long}.jsonl"],
        ["labels", "export", "-o", long],
        ["labels", "modes", long],
        ["labels", "modes", given, "--codebook", long],
        ["labels", "modes", given, "--baseline", long],
        ["calibrate", given, "--labels", long],
    ]
    for name in (long, str(Path(*["n" * 200] * 25)), "n\0"):  # a part of it, all of it, and what no name may hold
        wrong += [
            ["calibrate", name, "--labels", given],
            ["compare-runs", name, given],
            ["promote", str(folder("samples") / "run-0405.json"), "--into", name],
        ]
    for words in wrong:
        assert main(words) == 2, words
        (said,) = capsys.readouterr().err.splitlines()
        assert "mistake of its own" not in said, words


def test_what_nobody_may_look_at_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given, forbidden = file_of(tmp_path / "a.jsonl", json.dumps(LABEL)), tmp_path / "locked" / "run.json"
    looked_at = Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path == forbidden:  # the folder above it is another's
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return looked_at(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    for words in (
        ["calibrate", str(forbidden), "--labels", given],
        ["calibrate", given, "--labels", str(forbidden)],
        ["compare-runs", str(forbidden), given],
    ):
        assert main(words) == 2, words
        assert str(forbidden) in capsys.readouterr().err, words


def test_a_label_dated_far_ahead_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for at, told in (("9999-12-31T23:59:59.999999Z", True), (time.time() + 3_600, False), ("", False)):
        given = LABEL | ({"at": at} if at else {})
        assert main(["labels", "import", file_of(tmp_path / "a.jsonl", json.dumps(given))]) == 0
        assert ("1 label of these is dated more than a day ahead" in capsys.readouterr().err) is told


def test_an_own_table_that_is_read_again_brings_no_label_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = [
        "'=x",
        "it's; '=bad | ''-5",
        "=1+1",
        "'quoted'",
        "'-5 off",
        "'@home",
        "a\\nb",
        "two\nlines",
        "n" * 100_000,
    ]
    odd = {"id": "123", "flag": "true", "nothing": None, "zip": "1e5", "-k": "v", "empty": "", "q": '"a"', "f": "=x"}
    labels = [LABEL | {"subject": f"{number:064x}", "note": note} for number, note in enumerate(notes)]
    labels.append(LABEL | odd | {"big": ["x" * 140_000], "n": {"a": [1, 0.5, None]}})
    assert main(["labels", "import", file_of(tmp_path / "in.jsonl", *map(json.dumps, labels))]) == 0
    table = tmp_path / "t.csv"
    assert main(["labels", "export", "-o", str(table)]) == 0
    capsys.readouterr()
    assert main(["labels", "import", str(table)]) == 0
    assert f"0 labels stored; {len(labels)} were there already" in capsys.readouterr().out
