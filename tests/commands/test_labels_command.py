"""Labels from the command line: a queue is drawn, answered, merged by git, imported, exported."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.small_set import small_set
from trace_inspector.cli import main
from trace_inspector.resources import folder

SAMPLES = folder("samples")
RESULT = SAMPLES / "run-0412.json"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def in_order(path: Path) -> list[str]:
    return sorted(json.dumps(line, sort_keys=True) for line in lines(path))


def answer(queue: Path, out: Path, rater: str, value: str, **more: object) -> Path:
    """What a script makes of a queue."""
    answered = [line | {"value": value, "rater": rater} | more for line in lines(queue)]
    out.write_text("".join(json.dumps(line) + "\n" for line in answered), "utf-8")
    return out


def sample(out: Path, *words: str | Path) -> list[dict[str, Any]]:
    assert main(["labels", "sample", *map(str, words), "-o", str(out)]) == 0
    return lines(out)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result file with the verdicts of a judge."""
    out = tmp_path_factory.mktemp("judged") / "judged.json"
    words = [
        "--golden",
        str(SAMPLES / "retail.evalset.json"),
        "--judge",
        f"recorded:{SAMPLES / 'judge-replies.json'}",
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACE_INSPECTOR_DATA", str(out.parent / "data"))
        assert main(["evaluate", str(RESULT), *words, "--report", f"adk={out}"]) == 1
    return out


def test_a_queue_asks_each_judged_criterion_once_and_tells_no_verdict(result: Path, tmp_path: Path) -> None:
    queue = sample(tmp_path / "q.jsonl", result, "--n", "500")
    questions = {line["question"] for line in queue}
    assert questions == {"local_grounding", "rubric_based_final_response_quality_v1"}
    assert len({(line["subject"], line["question"]) for line in queue}) == len(queue)
    assert {*queue[0]} == {"subject", "level", "question", "file", "case", "trace", "turn"}
    (only,) = {line["question"] for line in sample(tmp_path / "o.jsonl", result, "--n", "9", "--question", "overall")}
    assert only == "overall"
    rubrics = sample(tmp_path / "r.jsonl", result, "--n", "900", "--question", "rubric_based*/*")
    assert {line["question"].partition("@")[0] for line in rubrics} >= {
        "rubric_based_final_response_quality_v1/answers_the_question"
    }


def test_the_same_seed_draws_the_same_queue_and_another_one_another(result: Path, tmp_path: Path) -> None:
    def drawn(name: str, *words: str | Path) -> bytes:
        sample(tmp_path / name, result, "--n", "8", *words)
        return (tmp_path / name).read_bytes()

    assert drawn("a.jsonl", "--seed", "7") == drawn("b.jsonl", "--seed", "7")
    assert drawn("c.jsonl", "--seed", "8") != drawn("a.jsonl", "--seed", "7")
    # More of the same draw: those of before are among them.
    few = {line["subject"] for line in sample(tmp_path / "f.jsonl", result, "--n", "4", "--seed", "7")}
    many = {line["subject"] for line in sample(tmp_path / "m.jsonl", result, "--n", "20", "--seed", "7")}
    assert few < many


def test_strata_of_verdicts_are_drawn_alike(result: Path, tmp_path: Path) -> None:
    question = ["--question", "rubric_based_final_response_quality_v1"]
    verdicts = {
        (turn["case"], turn["turn"]): turn["status"]
        for turn in _judged_turns(result, "rubric_based_final_response_quality_v1")
    }
    failed = sum(status == "FAILED" for status in verdicts.values())
    assert 0 < failed < len(verdicts) / 4
    queue = sample(tmp_path / "q.jsonl", result, "--n", str(2 * failed), *question, "--by", "verdict")
    drawn = [verdicts[line["case"], line["turn"]] for line in queue]
    assert drawn.count("FAILED") == drawn.count("PASSED") == failed


def test_strata_of_tags_are_drawn_alike_and_no_line_tells_them(
    result: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tags = {line["subject"]: line["tags"] for line in lines(SAMPLES / "labels" / "Mara.jsonl") if "tags" in line}
    assert sorted(tag for given in tags.values() for tag in given) == [
        "half an answer", "half an answer", "made-up number", "made-up number", "weak reason",
    ]  # fmt: skip
    words = ["--question", "overall", "--by", "tag"]
    queue = sample(tmp_path / "q.jsonl", result, "--n", "4", *words, "--labels", SAMPLES / "labels" / "Mara.jsonl")
    drawn = [(*tags.get(line["subject"], ("",)),) for line in queue]
    assert sorted(drawn) == [("",), ("half an answer",), ("made-up number",), ("weak reason",)]
    assert not any("tags" in line for line in queue)
    untold = sample(tmp_path / "u.jsonl", result, "--n", "4", *words)
    assert {line["subject"] for line in untold} != {line["subject"] for line in queue}
    assert main(["labels", "import", str(SAMPLES / "labels")]) == 0
    stored = sample(tmp_path / "s.jsonl", result, "--n", "4", "--seed", "3", *words)
    assert len({*tags} & {line["subject"] for line in stored}) >= 2
    refused = ["labels", "sample", str(result), "--n", "4", "--labels", str(SAMPLES), "-o", str(tmp_path / "n.jsonl")]
    assert main(refused) == 2
    assert "Add --by tag" in capsys.readouterr().err


def _judged_turns(result: Path, metric: str) -> list[dict[str, Any]]:
    cases = json.loads(result.read_text("utf-8"))["eval_case_results"]
    return [
        {"case": case["eval_id"], "turn": turn["index"], "status": own["status"]}
        for case in cases
        for turn in case["traceInspector"]["turns"]
        for own in turn["metrics"]
        if own["name"] == metric and own["status"] in ("PASSED", "FAILED")
    ]


def test_what_was_scored_is_asked_where_the_file_itself_reports_nothing(tmp_path: Path) -> None:
    _goldens, recording = small_set(tmp_path)
    out = tmp_path / "q.jsonl"
    assert main(["labels", "sample", str(recording), "--n", "5", "-o", str(out)]) == 3
    assert not out.exists()
    assert main(["evaluate", str(recording), "--fail-on", "never"]) == 0
    assert {line["question"] for line in sample(out, recording, "--n", "50")} == {"local_grounding"}


@pytest.mark.parametrize(("level", "count"), [("case", 1), ("turn", 5), ("call", 5)])
def test_every_level_can_be_asked(level: str, count: int, tmp_path: Path) -> None:
    goldens, recording = small_set(tmp_path)
    words = ["--question", "overall", "--level", level, "--n", "50"]
    queue = sample(tmp_path / "q.jsonl", recording, *words)
    assert len(queue) == count
    assert {line["level"] for line in queue} == {level}
    # The eval set holds the same conversation: every question is there already.
    assert len(sample(tmp_path / "b.jsonl", goldens, recording, *words)) == count


def test_sentences_can_be_asked(result: Path, tmp_path: Path) -> None:
    queue = sample(tmp_path / "q.jsonl", result, "--level", "sentence", "--n", "9", "--by", "verdict")
    assert len(queue) == 9
    assert {line["question"] for line in queue} == {"local_grounding"}


def test_two_raters_edit_apart_and_git_merges_them(tmp_path: Path) -> None:
    _goldens, recording = small_set(tmp_path)
    queue = tmp_path / "q.jsonl"
    sample(queue, recording, "--question", "overall", "--n", "5")

    def git(*words: str) -> None:
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *identity, *words], cwd=repository, check=True, capture_output=True)

    repository = tmp_path / "labels"
    repository.mkdir()
    git("init")
    for rater in ("Ana", "Ben"):
        first = answer(queue, tmp_path / f"{rater}.jsonl", rater, "pass", at="2026-11-29T08:00:00Z")
        assert main(["labels", "merge", str(first), "-o", str(repository)]) == 0
    git("add", "-A")
    git("commit", "-m", "first")
    for rater in ("Ana", "Ben"):
        git("checkout", "-b", rater, "main")
        later = answer(queue, tmp_path / f"{rater}2.jsonl", rater, "fail", at="2026-11-29T09:00:00Z")
        before = (repository / f"{rater}.jsonl").read_text("utf-8")
        assert main(["labels", "merge", str(later), "-o", str(repository)]) == 0
        assert (repository / f"{rater}.jsonl").read_text("utf-8").startswith(before)
        git("commit", "-am", rater)
    git("checkout", "main")
    git("merge", "Ana")
    git("merge", "Ben", "-m", "both")
    assert main(["labels", "merge", str(repository), "-o", str(tmp_path / "all.jsonl")]) == 0
    assert len(lines(tmp_path / "all.jsonl")) == 20


def test_importing_twice_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _goldens, recording = small_set(tmp_path)
    queue, out = tmp_path / "q.jsonl", tmp_path / "out.jsonl"
    sample(queue, recording, "--question", "overall", "--n", "5")
    answered = answer(queue, tmp_path / "a.jsonl", "Ana", "fail", note="=1+1; wrong", mood={"new": 6.0})
    assert main(["labels", "import", str(answered), str(queue)]) == 0
    assert "5 labels stored; 5 have no value yet" in capsys.readouterr().out
    assert main(["labels", "export", "-o", str(out)]) == 0
    before = out.read_bytes()
    assert lines(out) == lines(answered)  # what this version does not know stays
    for again in (answered, out):
        assert main(["labels", "import", str(again)]) == 0
        assert "0 labels stored; 5 were there already" in capsys.readouterr().out
    assert main(["labels", "export", "-o", str(out)]) == 0
    assert out.read_bytes() == before


def test_a_table_comes_back_as_it_went_and_holds_no_formula(tmp_path: Path) -> None:
    _goldens, recording = small_set(tmp_path)
    queue, table = tmp_path / "q.jsonl", tmp_path / "t.csv"
    sample(queue, recording, "--question", "overall", "--n", "5")
    odd = {"note": "=cmd()\nline; -2 | @x", "tags": ["a, b", "=c"], "seconds": 2.5, "first_fault": "call/0"}
    answered = answer(queue, tmp_path / "a.jsonl", "+Ana", "fail", blind=True, mood="=x", **odd)
    assert main(["labels", "merge", str(answered), "-o", str(table)]) == 0
    with table.open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert "'=cmd()\nline; '-2 | '@x" in cells
    assert not any(cell.startswith(tuple("=+-@")) for cell in cells)
    assert main(["labels", "merge", str(table), "-o", str(tmp_path / "b.jsonl")]) == 0
    assert in_order(tmp_path / "b.jsonl") == in_order(answered)


def test_a_table_of_a_spreadsheet_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "excel.csv"
    table.write_text(
        f"subject;level;question;value;rater;overrules;tags;turn\n{'ab' * 32};turn;overall;pass;Ana;TRUE;a;0\n"
        f"{'cd' * 32};turn;overall;4;Ana;FALSE;;\n\nxy;turn;overall;pass;Ana;;;\n",
        "utf-8-sig",
    )
    assert main(["labels", "import", str(table)]) == 1
    said = capsys.readouterr()
    assert "2 labels stored" in said.out
    assert "“subject”" in said.err
    out = tmp_path / "out.jsonl"
    assert main(["labels", "export", "-o", str(out)]) == 0
    first, second = lines(out)
    assert (first["overrules"], first["tags"], first["turn"]) == (True, ["a"], 0)
    assert second["value"] == 4


def test_an_export_of_a_run_has_the_labels_of_its_outputs_alone(tmp_path: Path) -> None:
    _goldens, recording = small_set(tmp_path)
    sample(tmp_path / "q.jsonl", recording, "--question", "overall", "--n", "3")
    mine = answer(tmp_path / "q.jsonl", tmp_path / "a.jsonl", "Ana", "pass")
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(lines(mine)[0] | {"subject": "ab" * 32}) + "\n", "utf-8")
    assert main(["labels", "import", str(mine), str(other)]) == 0
    assert main(["evaluate", str(recording), "--fail-on", "never", "--json"]) == 0
    from trace_inspector.flows.runs.store_run import list_runs

    (run,) = list_runs().lines
    out = tmp_path / "out.jsonl"
    assert main(["labels", "export", run.id, "-o", str(out)]) == 0
    assert in_order(out) == in_order(mine)
    assert main(["labels", "export", "none", "-o", str(out)]) == 2


def test_an_edited_answer_drops_its_label_and_the_others_keep_theirs(tmp_path: Path) -> None:
    goldens, recording = small_set(tmp_path)
    words = ["--question", "overall", "--n", "50"]
    before = {line["subject"] for line in sample(tmp_path / "a.jsonl", recording, *words)}
    edited = tmp_path / "edited.json"
    text = recording.read_text("utf-8").replace("There are 5 pairs on shelf 2.", "There are 50 pairs on shelf 2.")
    edited.write_text(text.replace('"e-', '"x-'), "utf-8")
    after = {line["subject"] for line in sample(tmp_path / "b.jsonl", edited, *words)}
    assert (len(before), len(after), len(before & after)) == (5, 5, 4)
    assert {line["subject"] for line in sample(tmp_path / "c.jsonl", goldens, *words)} == before
    converted = tmp_path / "messages.json"
    assert main(["convert", str(recording), "--to", "openai-messages", "-o", str(converted)]) == 0
    assert {line["subject"] for line in sample(tmp_path / "d.jsonl", converted, *words)} == before


def test_bad_lines_are_told_and_nothing_is_merged_without_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps({"subject": "ab" * 32, "level": "turn", "question": "overall", "value": "pass", "rater": "A"})
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(f"{good}\n{{\n\n".encode() + b"\x00\xff" * 50 + b"\n")
    out = tmp_path / "out.jsonl"
    assert main(["labels", "merge", str(bad), "-o", str(out)]) == 1
    said = capsys.readouterr().err
    assert f"{bad}:2: This is no label: the line is no JSON." in said
    assert f"{bad}:4:" in said
    assert not out.exists()
    assert main(["labels", "import", str(bad)]) == 1
    assert "1 label stored" in capsys.readouterr().out


def test_what_cannot_be_done_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, queue = tmp_path / "a.jsonl", tmp_path / "q.jsonl"
    file.write_text("", "utf-8")
    (tmp_path / "not-utf8.csv").write_bytes(b"subject\n\xff\n")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", "utf-8")
    (tmp_path / "nul.csv").write_bytes(b"subject\n" + b"a" * 2_000_000)
    wrong = [
        [],
        ["import", "none.jsonl"],
        ["import", "a\0b"],
        ["import", "not-utf8.csv"],
        ["import", "other.csv"],
        ["import", "nul.csv"],
        ["merge", "a.jsonl", "-o", "a.jsonl"],
        ["merge", "a.jsonl", "-o", "a.txt"],
        ["merge", "a.jsonl", "-o", "a.jsonl/inner"],
        ["merge", "a.jsonl", "-o", "a\0b"],
        ["sample", str(RESULT), "--n", "0", "-o", "q.jsonl"],
        ["sample", str(RESULT), "--n", "x", "-o", "q.jsonl"],
        ["sample", str(RESULT), "--n", "2", "-o", "q.csv"],
        ["sample", "none.json", "--n", "2", "-o", "q.jsonl"],
        ["sample", str(RESULT), "--n", "2", "--level", "word", "-o", "q.jsonl"],
    ]
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe.jsonl")
        wrong += [["import", "pipe.jsonl"], ["merge", "a.jsonl", "-o", "pipe.jsonl"]]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for words in wrong:
            assert main(["labels", *words]) == 2, words
            assert len(capsys.readouterr().err.splitlines()) == 1, words
    assert not queue.exists()
    assert file.read_bytes() == b""


@pytest.mark.parametrize("rater", ["../../evil", "/etc/passwd", "a\\b:c", "con", "", ".hidden", "x" * 5000, "é\n%"])
def test_no_name_of_a_rater_leads_out_of_the_folder(rater: str, tmp_path: Path) -> None:
    label = {"subject": "ab" * 32, "level": "turn", "question": "overall", "value": "pass", "rater": rater[:1000]}
    (tmp_path / "given.jsonl").write_text(json.dumps(label) + "\n", "utf-8")
    inside = tmp_path / "in" / "labels"
    for _twice in range(2):
        assert main(["labels", "merge", str(tmp_path / "given.jsonl"), "-o", str(inside)]) == 0
    (file,) = inside.iterdir()
    assert file.suffix == ".jsonl"
    assert len(os.fsencode(file.name)) < 255
    assert [line["subject"] for line in lines(file)] == ["ab" * 32]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given.jsonl", "in"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_in_a_folder_is_not_written_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label = {"subject": "ab" * 32, "level": "turn", "question": "overall", "value": "pass", "rater": "Ana"}
    (tmp_path / "given.jsonl").write_text(json.dumps(label) + "\n", "utf-8")
    (tmp_path / "precious").write_text("mine", "utf-8")
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "Ana.jsonl").symlink_to(tmp_path / "precious")
    assert main(["labels", "merge", str(tmp_path / "given.jsonl"), "-o", str(tmp_path / "labels")]) == 2
    assert (tmp_path / "precious").read_text("utf-8") == "mine"
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_line_that_was_cut_off_keeps_its_place_and_what_follows_is_whole(tmp_path: Path) -> None:
    label = {"subject": "ab" * 32, "level": "turn", "question": "overall", "value": "pass", "rater": "Ana"}
    (tmp_path / "given.jsonl").write_text(json.dumps(label) + "\n", "utf-8")
    (tmp_path / "labels").mkdir()
    file = tmp_path / "labels" / "Ana.jsonl"
    file.write_text('{"subject": "cut', "utf-8")
    assert main(["labels", "merge", str(tmp_path / "given.jsonl"), "-o", str(tmp_path / "labels")]) == 0
    first, second = file.read_text("utf-8").splitlines()
    assert first == '{"subject": "cut'
    assert json.loads(second) == label
