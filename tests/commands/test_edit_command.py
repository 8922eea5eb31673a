from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trace_inspector import cli

Edit = Callable[..., tuple[int, list[str], str]]

TEXT = '{\n  "id": 9007199254740993,\n  "score": 0.10,\n  "tags": ["a", "b"]\n}\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.json"
    path.write_bytes(TEXT.encode())
    return path


@pytest.fixture
def edit(file: Path, capsys: pytest.CaptureFixture[str]) -> Edit:
    def run(*arguments: str) -> tuple[int, list[str], str]:
        status = cli.main(["edit", str(file), *arguments])
        captured = capsys.readouterr()
        return status, captured.out.splitlines(), captured.err

    return run


def test_set_prints_the_changed_line_and_moves_no_other_byte(file: Path, edit: Edit) -> None:
    assert edit("--set", "/score=1.00") == (0, ['3: -   "score": 0.10,', '3: +   "score": 1.00,'], "")
    assert file.read_bytes() == TEXT.replace("0.10", "1.00").encode()


def test_edits_happen_in_the_order_of_the_command_line(file: Path, edit: Edit) -> None:
    arguments = ("--remove", "/tags/0", "--insert", "/tags/0=[]", "--set", "/tags/1=null", "--insert", "/tags/-=1")
    assert edit(*arguments)[0] == 0
    assert file.read_text() == TEXT.replace('"a", "b"', "[], null, 1")


def test_a_new_key_follows_the_last_one(edit: Edit) -> None:
    assert edit("--insert", "/new=true") == (
        0,
        ['4: -   "tags": ["a", "b"]', '4: +   "tags": ["a", "b"],', '5: +   "new": true'],
        "",
    )


def test_an_output_leaves_the_file_as_it_is(file: Path, edit: Edit) -> None:
    out = file.parent / "out.json"
    assert edit("--set", "/score=1", "-o", str(out))[0] == 0
    assert (file.read_text(), out.read_text()) == (TEXT, TEXT.replace("0.10", "1"))


def test_the_same_text_changes_nothing_and_writes_nothing(file: Path, edit: Edit) -> None:
    before = file.stat()
    assert edit("--set", "/id=9007199254740993") == (0, [], "")
    after = file.stat()  # but for when it was read
    assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_ino,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )
    assert edit("--set", "/score=0.10", "-o", str(file.parent / "copy.json")) == (0, [], "")
    assert (file.parent / "copy.json").read_text() == TEXT


def test_the_whole_document_has_the_empty_pointer(file: Path, edit: Edit) -> None:
    assert edit("--set", "=[1]")[0] == 0
    assert file.read_text() == "[1]\n"


@pytest.mark.parametrize(
    ("argument", "line"),
    [
        ('/id="a=b"', '"id": "a=b",'),
        ('/k=v="x=1"', '"k=v": "x=1"'),
        ("/k==2", '"k=": 2'),
    ],
)
def test_the_first_equals_sign_with_json_behind_it_ends_the_pointer(
    file: Path, edit: Edit, argument: str, line: str
) -> None:
    assert edit("--set" if argument.startswith("/id") else "--insert", argument)[0] == 0
    assert line in file.read_text()


def test_lines_are_an_array(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(b'{"a":1}\r\n{"a":2}\r\n')
    assert cli.main(["edit", str(file), "--set", "/1/a=-0", "--remove", "/0"]) == 0
    assert file.read_bytes() == b'{"a":-0}\r\n'
    assert capsys.readouterr().out.splitlines() == ['1: - {"a":1}', '1: + {"a":-0}', '2: - {"a":2}']


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "No change is given. Give at least one --set, --insert or --remove."),
        (("--set", "/nothing=1"), "There is nothing at “/nothing”"),
        (("--set", "/score=high"), "“high” is not one JSON value"),
        (("--set", "/score"), "--set needs POINTER=JSON, but “/score” has no “=”."),
        (("--set", "score=1"), "--set needs a JSON Pointer"),
        (("--remove", "score"), "--remove needs a JSON Pointer"),
        (("--insert", "/score=1"), "exists already"),
        (("--set", "/score=1", "--remove", "/gone"), "There is nothing at “/gone”"),
        (("--set", "/score=1", "-o", "/nowhere/at/all.json"), "The folder is gone"),
    ],
)
def test_what_does_not_work_is_one_sentence_and_leaves_the_file_alone(
    file: Path, edit: Edit, arguments: tuple[str, ...], sentence: str
) -> None:
    status, out, err = edit(*arguments)
    assert (status, out) == (2, [])
    assert err.startswith("trace-inspector: ")
    assert err.count("\n") == 1
    assert sentence in err
    assert file.read_text() == TEXT


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["edit", str(tmp_path / "no.json"), "--remove", "/a"]) == 2
    assert (
        capsys.readouterr().err
        == f"trace-inspector: {tmp_path / 'no.json'}: There is no such file. Check the path.\n"
    )


def test_an_endless_change_is_cut_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"a": 1, "b": "' + "x" * 5000 + '"}')
    assert cli.main(["edit", str(file), "--set", "/b=2"]) == 0
    old, new = capsys.readouterr().out.splitlines()
    assert old.endswith('x"} (1000 of 5017 characters, from character 1)')
    assert new == '1: + {"a": 1, "b": 2} (16 of 16 characters, from character 1)'


def test_of_a_long_line_the_change_is_shown_with_its_neighbourhood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "minified.json"
    path.write_text("[" + ",".join(f'{{"key-{at}":"value"}}' for at in range(1000)) + "]")
    assert cli.main(["edit", str(path), "--set", '/700/key-700="other"']) == 0
    old, new = capsys.readouterr().out.splitlines()
    assert '{"key-699":"value"},{"key-700":"value"},{"key-701":"value"}' in old
    assert '{"key-699":"value"},{"key-700":"other"},{"key-701":"value"}' in new
    assert len(old) < 300
    assert old.endswith(" of 19891 characters, from character 13844)")


def test_control_characters_never_reach_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(b'{"a": "\x1b[31m", "b": 1}')
    assert cli.main(["edit", str(file), "--set", "/b=2"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_help_says_where_the_pointer_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["edit", "--help"]) == 0
    assert 'The first "=" with JSON after it' in " ".join(capsys.readouterr().out.split())
