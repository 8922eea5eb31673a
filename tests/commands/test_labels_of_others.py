"""What people said in the files of other systems, imported as labels of whom the file names."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commands.test_labels_command import lines, sample
from tests.formats import inspect_files, langfuse_files, langsmith_files, mlflow_files
from tests.helpers.small_set import small_set
from trace_inspector.cli import main


def test_what_people_said_in_langfuse_is_imported(tmp_path: Path) -> None:
    file, out = tmp_path / "trace.json", tmp_path / "out.jsonl"
    file.write_text(json.dumps(langfuse_files.download()), "utf-8")
    for _twice in range(2):
        assert main(["labels", "import", str(file)]) == 0
    assert main(["labels", "export", "-o", str(out)]) == 0
    (label,) = lines(out)
    assert (label["level"], label["question"], label["value"], label["rater"]) == ("turn", "right", 0, "langfuse")
    assert "wrong" in label["note"]
    queue = sample(tmp_path / "q.jsonl", file, "--question", "*", "--n", "9")
    assert {line["question"] for line in queue} == {"overall"}
    assert {line["subject"] for line in queue} == {label["subject"]}
    _goldens, recording = small_set(tmp_path)
    assert main(["labels", "import", str(recording)]) == 2  # nobody said anything there


def test_feedback_of_people_in_langsmith_is_theirs_and_about_the_turn_of_the_run(tmp_path: Path) -> None:
    runs = langsmith_files.runs()
    text = json.dumps(runs).replace('"r', '"q').replace('"qun', '"run').replace('"qole', '"role')
    later = json.loads(text.replace("T10:", "T11:").replace("Nowhere.", "Here."))
    app, model = {"type": "app", "user_id": "u-7", "user_name": "Ana"}, {"type": "model"}
    beside = [
        {"run_id": "r4", "key": "correct", "score": False, "comment": "There is a garage.", "feedback_source": app},
        {"run_id": "r1", "key": "tone", "score": 0.5, "feedback_source": model},
        {"run_id": "no such run", "key": "correct", "score": True, "feedback_source": app},
    ]
    inside = {"key": "correct", "score": True, "feedback_source": {"type": "app", "user_id": "u-8"}}
    file, out = tmp_path / "runs.json", tmp_path / "out.jsonl"
    later[0]["feedback"] = [inside]
    file.write_text(json.dumps({"runs": [*runs, *later], "feedback": beside}), "utf-8")
    for _twice in range(2):
        assert main(["labels", "import", str(file)]) == 0
    assert main(["labels", "export", "-o", str(out)]) == 0
    found = {(line["rater"], line["level"], line["question"], line["value"], line["turn"]) for line in lines(out)}
    assert found == {("Ana", "turn", "correct", "fail", 0), ("u-8", "turn", "correct", "pass", 1)}
    assert {line.get("note") for line in lines(out)} == {"There is a garage.", None}


def test_assessments_of_people_in_mlflow_are_theirs(tmp_path: Path) -> None:
    file, out = tmp_path / "trace.json", tmp_path / "out.jsonl"
    file.write_text(json.dumps(mlflow_files.exported()), "utf-8")
    assert main(["labels", "import", str(file)]) == 0
    assert main(["labels", "export", "-o", str(out)]) == 0
    found = {(line["rater"], line["level"], line["question"], line["value"]) for line in lines(out)}
    assert found == {("ada", "turn", "useful", "pass")}


def test_who_edited_a_score_of_inspect_is_the_rater(tmp_path: Path) -> None:
    file, out = tmp_path / "log.json", tmp_path / "out.jsonl"
    file.write_text(json.dumps(inspect_files.log()), "utf-8")
    assert main(["labels", "import", str(file)]) == 0
    assert main(["labels", "export", "-o", str(out)]) == 0
    assert {(line["rater"], line["question"], line["value"]) for line in lines(out)} == {("ann", "people", "fail")}
