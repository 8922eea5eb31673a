from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.cli import main
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Item, ReadProgress
from trace_inspector.core.rows.row_writer import RowWriter
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.flows.opening.open_file import BytesRead, stream_file
from trace_inspector.flows.opening.open_file import Recognised as Known
from trace_inspector.resources import folder
from trace_inspector.work.processes.child import Child, Progress
from trace_inspector.work.reading import file_messages, loading
from trace_inspector.work.reading.contents_from_rows import Bodies, rebuild

SAMPLES = folder("samples")
RUN = SAMPLES / "run-0412.json"


def loaded(*paths: Path) -> list[Any]:
    """All messages of a child that reads these files."""
    files = [(number, str(path)) for number, path in enumerate(paths, 1)]
    return [pickle.loads(message) for message in Child(loading.load, (files, [])).messages()]


def items(path: Path) -> list[Item]:
    return [item for item in stream_file(path) if not isinstance(item, Known | ReadProgress | BytesRead)]


def labels(path: Path) -> list[str]:
    """The labels of a file's rows, without a child."""
    writer = RowWriter()
    for item in items(path):
        if isinstance(item, Suite | Trace | Turn):
            list(writer.steps(item))
    list(writer.finish())
    return list(writer.take().label)


def test_every_row_arrives_in_order() -> None:
    batches = [message.batch for message in loaded(RUN) if isinstance(message, file_messages.RowsRead)]
    assert [label for batch in batches for label in batch.label] == labels(RUN)
    assert len(batches[0]) < len(labels(RUN)) / 5  # the first rows show at once


def test_files_come_one_after_the_other_with_progress() -> None:
    messages = loaded(RUN, SAMPLES / "gone.json", SAMPLES / "test_config.json")
    told = [message for message in messages if isinstance(message, file_messages.Recognised | file_messages.FileRead)]
    assert [(type(message).__name__, message.file) for message in told] == [
        ("Recognised", 1),
        ("FileRead", 1),
        ("FileRead", 2),
        ("Recognised", 3),
        ("FileRead", 3),
    ]
    assert [bool(message.sentence) for message in told if isinstance(message, file_messages.FileRead)] == [
        False,
        True,
        False,
    ]
    done = [message.done for message in messages if isinstance(message, Progress)]
    assert done == sorted(done)
    assert done[-1] == RUN.stat().st_size
    (criteria,) = [
        message.criteria for message in messages if isinstance(message, file_messages.Found) and message.criteria
    ]
    assert criteria.items


@pytest.mark.parametrize("name", ["retail.evalset.json", "run-0405.json"])
def test_bodies_give_back_what_was_read(name: str) -> None:
    bodies = [
        body
        for message in loaded(SAMPLES / name)
        if isinstance(message, file_messages.RowsRead)
        for body in message.batch.bodies
    ]
    contents = rebuild(Bodies(name, "made", len(bodies)), iter(bodies))
    read = items(SAMPLES / name)
    assert [*contents.suites, *contents.traces] == _whole(read)


def test_a_result_keeps_the_criteria_it_records_and_counts_what_it_reports(tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    goldens, wanted = SAMPLES / "retail.evalset.json", SAMPLES / "test_config.json"
    main(["evaluate", str(RUN), "--golden", str(goldens), "--criteria", str(wanted), "--report", f"adk={result}"])
    found = [message for message in loaded(result) if isinstance(message, file_messages.Found)]
    (criteria,) = [message.criteria for message in found if message.criteria]
    assert rebuild(Bodies("r.json", "adk-eval-result", 0, criteria=criteria), iter(())).criteria == criteria
    assert {item.metric for item in criteria.items} >= {"tool_trajectory_avg_score", "response_match_score"}
    reported = [held.count for message in found for held in message.holds if held.what == file_messages.REPORTED]
    assert reported[0] == 1, "said as soon as the first one is there"
    assert reported[-1] > 1


def _whole(read: list[Item]) -> list[Item]:
    from trace_inspector.core.rows.contents import collect

    contents = collect("made", read)
    return [*contents.suites, *contents.traces]


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        ("a.json", "a.json", ""),
        ("a.json#/eval_cases/1", "a.json", "/eval_cases/1"),
        ("a#b.json", "a#b.json", ""),
        ("odd#/name.json", "odd#/name.json", ""),
    ],
)
def test_a_pointer_behind_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd#").mkdir()
    (tmp_path / "odd#" / "name.json").write_text("{}", "utf-8")
    assert loading.split_place(text) == (tmp_path / name, place)
