"""Overrules are labels: they hold for every run on the same output; old ones become labels once its file is read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.helpers.small_set import small_set
from trace_inspector.cli import main
from trace_inspector.core.review.label import Answer, Label, Level, moment
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.opening.given_files import Given, open_given
from trace_inspector.flows.review import stored_labels
from trace_inspector.flows.review.stored_labels import keep, kept
from trace_inspector.flows.runs.store_run import RunRecord, list_runs, load_run, overrule, withdraw
from trace_inspector.settings import data_folder
from trace_inspector.store.database import FILE_NAME

TURN = Overrule("one", 0, Status.PASSED, 1764400000.5, 1, None, "meant so")
CALLS = Overrule("two", 0, Status.NOT_EVALUATED, 1764400001.0, 2, "tool_trajectory_avg_score")
CASE = Overrule("three", 0, Status.FAILED, 1764400002.0, None, None, "rude")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A golden, and a recording that fails against it."""
    goldens, recording = small_set(tmp_path)
    recording.write_text(recording.read_text("utf-8").replace("There are", "I see").replace("Chur", "Bern"), "utf-8")
    return goldens, recording


def evaluated(goldens: Path, recording: Path) -> RunRecord:
    """The newest run, as people see it."""
    assert main(["evaluate", str(recording), "--golden", str(goldens)]) == 1
    return newest()


def newest() -> RunRecord:
    record = load_run(list_runs().lines[0].id)
    assert record is not None
    return record


def forget_subjects() -> None:
    """The store as it was before overrules were labels."""
    with sqlite3.connect(data_folder() / FILE_NAME) as store:
        store.execute("DELETE FROM run_subject")
    store.close()


def test_an_overrule_is_a_label_and_holds_for_the_next_run(files: tuple[Path, Path]) -> None:
    first = evaluated(*files)
    for each in (TURN, CALLS, CASE):
        overrule(first.judged.id, each)
    assert newest().overrules == (TURN, CALLS, CASE)
    labels = kept()
    assert [(label.level, label.question, label.value) for label in labels] == [
        (Level.TURN, "overall", Answer.PASS),
        (Level.TURN, "tool_trajectory_avg_score", Answer.UNSURE),
        (Level.CASE, "overall", Answer.FAIL),
    ]
    assert all(label.overrules and label.rater == "" for label in labels)
    assert {(label.file, label.case, label.trace) for label in labels} == {(str(files[1]), "shoes", "shoes")}
    assert [label.turn for label in labels] == [1, 2, None]
    again = evaluated(*files)
    assert again.judged.id != first.judged.id
    assert [replace(one, id="") for one in again.overrules] == [replace(one, id="") for one in (TURN, CALLS, CASE)]
    assert again.shown.cases[0].turns[1].status is Status.PASSED
    summary = list_runs().lines[0].summary
    assert summary is not None
    assert summary.overruled == 3


def test_what_is_withdrawn_in_one_run_is_withdrawn_in_all(files: tuple[Path, Path]) -> None:
    first = evaluated(*files)
    overrule(first.judged.id, TURN)
    second = evaluated(*files)
    (shown,) = second.overrules
    list_runs()  # makes summaries
    withdraw(shown.id)
    record = load_run(first.judged.id)
    assert record is not None
    assert [one for one in record.overrules if one.withdrawn_s is None] == []
    assert newest().overrules == ()
    assert {line.summary.overruled for line in list_runs().lines if line.summary} == {0}
    assert [label.value for label in kept()] == [Answer.PASS, Answer.WITHDRAWN]
    withdraw(TURN.id)  # in its own run, too


def test_what_is_said_again_after_it_was_withdrawn_counts_whatever_the_clock(files: tuple[Path, Path]) -> None:
    first = evaluated(*files)
    overrule(first.judged.id, TURN)
    withdraw(TURN.id)
    overrule(first.judged.id, replace(TURN, id="again"))  # a step that is done again keeps its time
    (shown,) = (one for one in newest().overrules if one.withdrawn_s is None)
    assert (shown.id, shown.status, shown.note) == ("again", TURN.status, TURN.note)
    assert len(kept()) == 3
    overrule(first.judged.id, replace(TURN, id="other", status=Status.FAILED))
    assert [one.status for one in newest().overrules if one.withdrawn_s is None] == [Status.FAILED]
    assert evaluated(*files).shown.cases[0].turns[1].status is Status.FAILED


def test_what_is_said_after_the_last_time_that_can_be_written_counts(files: tuple[Path, Path]) -> None:
    first = evaluated(*files)
    overrule(first.judged.id, TURN)
    (label,) = kept()
    last = "9999-12-31T23:59:59.999999Z"
    keep([replace(label, value=Answer.FAIL, at=last)])
    assert newest().shown.cases[0].turns[1].status is Status.FAILED
    overrule(first.judged.id, replace(TURN, id="again"))
    assert kept()[-1].at == last
    assert newest().shown.cases[0].turns[1].status is Status.PASSED


def test_an_edited_answer_drops_its_overrule_and_the_others_stay(files: tuple[Path, Path]) -> None:
    goldens, recording = files
    first = evaluated(goldens, recording)
    overrule(first.judged.id, TURN)
    overrule(first.judged.id, replace(TURN, id="four", turn=3))
    recording.write_text(recording.read_text("utf-8").replace("I see 4 pairs", "I see 40 pairs"), "utf-8")
    assert [one.turn for one in evaluated(goldens, recording).overrules] == [3]


def test_old_overrules_become_labels_once_their_file_is_read(files: tuple[Path, Path]) -> None:
    first = evaluated(*files)
    forget_subjects()
    gone = replace(CASE, id="gone", metric="response_match_score")
    for each in (TURN, CALLS, gone):
        overrule(first.judged.id, each)
    withdraw(gone.id)
    before = newest().overrules
    assert before[:2] == (TURN, CALLS)
    assert before[2].withdrawn_s is not None
    with sqlite3.connect(data_folder() / FILE_NAME) as store:
        assert store.execute("SELECT count(*) FROM label").fetchone() == (0,)
    store.close()
    again = evaluated(*files)  # reads the file
    assert [one.turn for one in again.overrules] == [1, 2]
    record = load_run(first.judged.id)
    assert record is not None
    assert sorted(map(str, record.overrules)) == sorted(map(str, before))
    assert [(label.question, label.value) for label in kept()] == [
        ("overall", Answer.PASS),
        ("tool_trajectory_avg_score", Answer.UNSURE),
        ("response_match_score", Answer.FAIL),
        ("response_match_score", Answer.WITHDRAWN),
    ]


def test_an_export_makes_labels_of_them_and_a_changed_file_leaves_them_bound(files: tuple[Path, Path]) -> None:
    goldens, recording = files
    first = evaluated(goldens, recording)
    forget_subjects()
    overrule(first.judged.id, TURN)
    whole = recording.read_bytes()
    recording.write_bytes(whole.replace(b"I see 3", b"I see 30"))
    assert kept() == []
    recording.write_bytes(whole)
    assert [label.note for label in kept()] == ["meant so"]
    assert newest().overrules == (TURN,)


def test_files_of_one_run_that_are_read_one_by_one_add_up(files: tuple[Path, Path], tmp_path: Path) -> None:
    goldens, recording = files
    other = tmp_path / "other.json"
    text = recording.read_text("utf-8").replace("I see", "We have").replace('"id": "shoes"', '"id": "boots"')
    other.write_text(text, "utf-8")
    assert main(["evaluate", str(recording), str(other), "--golden", str(goldens), "--fail-on", "never"]) == 0
    both = newest()
    forget_subjects()
    for number in range(len(both.judged.cases)):
        overrule(both.judged.id, replace(TURN, id=f"of {number}", case=number))
    for each in (recording, other):
        assert main(["evaluate", str(each), "--golden", str(goldens), "--fail-on", "never"]) == 0
    record = load_run(both.judged.id)
    assert record is not None
    assert sorted(one.id for one in record.overrules) == ["of 0", "of 1"]
    assert len(kept()) == 2


def test_only_labels_that_overrule_change_a_verdict(files: tuple[Path, Path], tmp_path: Path) -> None:
    goldens, recording = files
    before = evaluated(goldens, recording)
    queue = tmp_path / "q.jsonl"
    words = ["--question", "overall", "--level", "case", "--n", "1", "-o", str(queue)]
    assert main(["labels", "sample", str(recording), *words]) == 0
    label = json.loads(queue.read_text("utf-8")) | {"value": "pass", "rater": "Ana", "at": "2026-11-29T08:00:00Z"}

    def stored(**members: object) -> Status:
        queue.write_text(json.dumps(label | members) + "\n", "utf-8")
        assert main(["labels", "import", str(queue)]) == 0
        return newest().shown.status

    assert stored() is before.shown.status is Status.FAILED
    assert stored(overrules=True, at="2026-11-29T08:01:00Z") is Status.PASSED
    result = tmp_path / "result.json"
    assert main(["evaluate", str(recording), "--golden", str(goldens), "--report", f"adk={result}"]) == 1
    assert main(["compare-runs", str(result), newest().judged.id]) == 0  # FAILED before, and now overruled
    assert main(["compare-runs", newest().judged.id, str(result)]) == 1
    assert stored(value="fail", at="2026-11-29T08:02:00Z") is Status.PASSED  # said later, without overruling
    assert stored(value="withdrawn", at="2026-11-29T08:03:00Z") is Status.FAILED


def test_a_label_beyond_what_lines_hold_stays_an_overrule_of_its_run_and_is_tried_once(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = evaluated(*files)
    long = replace(TURN, note="n" * 200_000)
    overrule(first.judged.id, long)
    read: list[Path] = []

    def opened(paths: Sequence[Path]) -> tuple[Given, ...]:
        read.extend(paths)
        return open_given(paths)

    monkeypatch.setattr(stored_labels, "open_given", opened)
    assert kept() == []
    assert read
    read.clear()
    assert kept() == []
    assert not read
    assert newest().overrules == (long,)
    withdraw(long.id)
    assert newest().overrules[0].withdrawn_s is not None


def test_a_deleted_run_leaves_its_labels(files: tuple[Path, Path]) -> None:
    from trace_inspector.flows.runs.store_run import forget

    first = evaluated(*files)
    overrule(first.judged.id, TURN)
    forget(first.judged.id)
    assert [label.note for label in kept()] == ["meant so"]
    assert len(evaluated(*files).overrules) == 1


def test_of_two_raters_who_overrule_the_later_one_is_shown(files: tuple[Path, Path]) -> None:
    first = evaluated(*files)
    overrule(first.judged.id, TURN)
    (label,) = kept()
    keep([replace(label, rater="Ben", value=Answer.FAIL, at=moment(TURN.at_s + 5))])
    assert newest().shown.cases[0].turns[1].status is Status.FAILED
    keep([Label(label.subject, Level.TURN, "overall", Answer.WITHDRAWN, rater="Ben", at=moment(TURN.at_s + 6))])
    assert newest().shown.cases[0].turns[1].status is Status.PASSED
