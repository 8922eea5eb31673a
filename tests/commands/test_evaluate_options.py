"""Options of `evaluate` alone, together, twice and in conflict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.eval_sets import call, case, turn, write_criteria, write_eval_set
from trace_inspector.cli import main


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A set of three cases, two of them tagged, and a run of it."""
    cases = [case(name, turn(f"ask {name}", "yes", [call("f", n=1)])) for name in ("one", "two", "three")]
    golden = write_eval_set(
        tmp_path / "g.json", {**cases[0], "tags": ["smoke", "slow"]}, {**cases[1], "tags": ["slow", 7]}, cases[2]
    )
    return [str(write_eval_set(tmp_path / "t.json", *cases)), "--golden", str(golden)]


def judged(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> list[str]:
    """The cases that were evaluated."""
    assert main(["evaluate", *arguments, "--json"]) == code
    return [one["id"] for one in json.loads(capsys.readouterr().out)["cases"]]


@pytest.mark.parametrize(
    ("more", "left"),
    [
        (["--tag", "smoke"], ["one"]),
        (["--tag", "smoke", "slow"], ["one", "two"]),
        (["--tag", "smoke", "--tag", "slow"], ["one", "two"]),
        (["--tag", "slow", "--case", "t*"], ["two"]),
        (["--case", "t*", "--case", "one"], ["one", "two", "three"]),
    ],
)
def test_tags_and_globs_choose_cases(
    more: list[str], left: list[str], files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged([*files, *more], capsys) == left


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--tag", "smok"], "No case carries the tag smok."),
        (["--case", "x*", "--tag", "slow", "b"], "No case is named like x* and carries the tag slow or b."),
        (["--rules", "nobody"], "there are no rules named “nobody”; choose one of adk"),
        (["--rules", ""], "there are no rules named “”"),
        (["--report", "pdf=x"], "There is no report “pdf” for a run; choose one of adk, ces, csv,"),
        (["--report", "nothing=x"], "There is no report “nothing”"),
        (["--no-cache", "--refresh"], "not allowed with"),
        (["--pair", "nobody=one"], "there is no case “nobody”"),
        (["--pair", "one=nobody"], "there is no trace “nobody”"),
        (["--pair", "one"], "write CASE=TRACE"),
        (["--jobs", "-1"], "from 1 to 61"),
        (["--jobs", "٣"], "from 1 to 61"),
        (["--in-flight", "1e3"], "from 1 to 1000"),
        (["--only"], "expected at least one argument"),
        (["--fail-on", "always"], "invalid choice"),
        (["--judge", "oracle"], "oracle"),
        (["--criteria", "/no/such/file"], "/no/such/file"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(
    more: list[str], words: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *files, *more]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert (len(captured.err.splitlines()), captured.out) == (1, "")


@pytest.mark.parametrize("more", [[], ["--judge", "none"]])
def test_a_judged_metric_alone_without_judge_decides_nothing(
    more: list[str], files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *files, "--only", "hallucinations_v1", *more]) == 3
    assert "hallucinations_v1 was asked for but gave no verdict" in capsys.readouterr().out


def test_turns_of_none_decide_nothing(tmp_path: Path) -> None:
    empty = write_eval_set(tmp_path / "e.json", case("silent"))
    assert main(["evaluate", str(empty), "--golden", str(empty)]) == 3


@pytest.mark.parametrize("content", [b"", b" \n", b"{", b"[]", b"null", b"\x00" * 40])
def test_empty_and_broken_files_cannot_run(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    assert main(["evaluate", str(path)]) == 2
    captured = capsys.readouterr()
    assert "broken.json" in captured.err
    assert len(captured.err.splitlines()) == 1


def test_a_folder_without_traces_cannot_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    assert main(["evaluate", str(folder)]) == 2
    write_criteria(folder / "criteria.json", response_match_score=0.5)
    assert main(["evaluate", str(folder)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_what_the_file_reported_stands_beside_in_json(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "result.json"
    strict = write_criteria(tmp_path / "strict.json", response_match_score=0.5)
    assert main(["evaluate", *files, "--criteria", str(strict), "--report", f"adk={result}"]) == 0
    written = json.loads(result.read_text(encoding="utf-8"))
    written["eval_case_results"][0]["final_eval_status"] = 2
    written["eval_case_results"][0]["traceInspector"]["status"] = "FAILED"
    result.write_text(json.dumps(written), encoding="utf-8")
    capsys.readouterr()
    assert main(["evaluate", str(result), *files[1:], "--json"]) == 0
    cases = {one["id"]: one for one in json.loads(capsys.readouterr().out)["cases"]}
    assert (cases["one"]["status"], cases["one"]["reported"]["status"]) == ("PASSED", "FAILED")
    assert cases["one"]["reported"]["contradicts"] == [
        "its file reports failed",
        "in its file: The verdict is failed, and none of its parts failed (2 passed).",
    ]
    assert cases["two"]["reported"]["metrics"][0]["name"] == "response_match_score"
    assert cases["two"]["reported"]["turns"][0]["metrics"][0]["status"] == "PASSED"


def test_two_spellings_of_one_file_are_one_report(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "below").mkdir()
    twice = ["--report", f"html={tmp_path / 'r'}", "--report", f"csv={tmp_path / 'below' / '..' / 'r'}"]
    assert main(["evaluate", *files, *twice]) == 2
    assert "Two reports would be written" in capsys.readouterr().err


@pytest.mark.parametrize("named", [True, False])
def test_half_a_file_is_told_of(
    named: bool, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "traces"
    folder.mkdir()
    whole = Path(files[0]).read_bytes()
    (folder / "whole.json").write_bytes(whole)
    (folder / "half.json").write_bytes(whole[:-2])
    (folder / "notes.json").write_text('{"hello": "world"}', encoding="utf-8")
    given = [str(folder / "half.json")] if named else [str(folder)]
    assert main(["evaluate", *given, *files[1:], "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["run"]["notes"]
    assert len(notes) == 1
    assert "half.json" in notes[0]
    assert "The file ends inside a value" in notes[0]


def test_a_stump_in_a_folder_is_told_of_and_nothing_of_it_is_evaluated(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "traces"
    folder.mkdir()
    (folder / "whole.json").write_bytes(Path(files[0]).read_bytes())
    for at in range(12):
        (folder / f"stump-{at:02}.json").write_text('{"eval', encoding="utf-8")
    assert main(["evaluate", str(folder), *files[1:], "--json"]) == 0
    run = json.loads(capsys.readouterr().out)
    assert (len(run["cases"]), len(run["run"]["notes"])) == (3, 11)
    assert "stump-00.json" in run["run"]["notes"][0]
    assert "Nothing in it was evaluated." in run["run"]["notes"][0]
    assert run["run"]["notes"][-1] == "2 more files are broken"


def test_a_binary_file_in_a_folder_is_named_with_a_way_out(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "traces"
    folder.mkdir()
    (folder / "whole.json").write_bytes(Path(files[0]).read_bytes())
    (folder / "noise.json").write_bytes(bytes(range(256)) * 4)
    assert main(["evaluate", str(folder), *files[1:]]) == 2
    said = capsys.readouterr().err
    assert "noise.json" in said
    assert f"It lies in {folder}: move it away, or name the files to evaluate." in said
