"""Rows that grow in place: what others keep by their numbers is about the same turns afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from tests.helpers.growing_files import envelope, line, otlp_lines, span
from tests.models.test_grown_in_place import JobsHere, here, opened_here  # noqa: F401  # a fixture
from tests.models.test_growth import append
from trace_inspector.core.finding import info
from trace_inspector.core.review.subjects import turn_subject
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.problem_list import ProblemList
from trace_inspector.models.files.multi_selection import picked
from trace_inspector.models.golden.promotion import Promotion
from trace_inspector.models.review.drawing import whole_turn
from trace_inspector.models.search.find_query import Query
from trace_inspector.models.search.finding import Finding
from trace_inspector.models.workspace.workspace import Workspace

LATE = line(envelope(span(1, 6, "execute_tool", parent=1, start=2)))  # in the first conversation


@pytest.fixture
def grown(here: JobsHere, tmp_path: Path) -> tuple[Workspace, OpenFile]:  # noqa: F811
    path = tmp_path / "spans.jsonl"
    path.write_bytes(b"".join(otlp_lines([(1, 0, "one"), (2, 20, "two"), (3, 40, "three")])))
    workspace, seconds = Workspace(here, here), iter(range(1_000_000))
    workspace.growth.clock = lambda: float(next(seconds))
    file = opened_here(workspace, path)
    grow(workspace, file, b"".join(otlp_lines([(4, 60, "four")])))
    return workspace, file


def grow(workspace: Workspace, file: OpenFile, data: bytes) -> None:
    append(file.path, data)
    workspace.growth.look(file.number)
    for _round in range(200):
        QCoreApplication.processEvents()


def test_only_conversations_with_news_grew(grown: tuple[Workspace, OpenFile]) -> None:
    workspace, file = grown
    told: list[list[str]] = []
    workspace.growth.grew.connect(lambda _number, tops: told.append([file.table.name(top) for top in tops]))
    grow(workspace, file, b"".join(otlp_lines([(5, 80, "five")])))
    grow(workspace, file, LATE)
    assert told == [["five"], ["one"]]


def test_outputs_are_told_by_what_stands_in_their_row_now(grown: tuple[Workspace, OpenFile]) -> None:
    workspace, file = grown
    table = file.table
    for _round in range(2):
        turns = [row for top in table.tops for row in table.turns(top)]
        subjects = [turn_subject(turn) for row in turns if (turn := whole_turn(table, row)) is not None]
        assert [workspace.places.digest(table, row) for row in turns] == subjects
        grow(workspace, file, LATE)


def test_what_was_found_stays_found(grown: tuple[Workspace, OpenFile], here: JobsHere) -> None:  # noqa: F811
    workspace, file = grown
    finding = Finding(workspace.files, workspace.selection, workspace.run, here)
    workspace.selection.select(Selection(file.number, 0))
    finding.start(Query("look_up"))
    for data in (b"", LATE, b"".join(otlp_lines([(5, 80, "five")]))):
        grow(workspace, file, data)
        rows = [row for row in range(len(file.table)) if "look_up" in file.table.label(row)]
        assert sorted(hit.selection.row for hit in finding.hits) == rows


def test_a_long_text_that_comes_later_is_found(grown: tuple[Workspace, OpenFile], here: JobsHere) -> None:  # noqa: F811
    workspace, file = grown
    finding = Finding(workspace.files, workspace.selection, workspace.run, here)
    workspace.selection.select(Selection(file.number, 0))
    finding.start(Query("needle"))
    grow(workspace, file, b"")
    assert not finding.hits
    words = f"{'hay ' * 200}needle"
    grow(workspace, file, line(envelope(span(5, 1, "chat", start=80, session="five", words=words))))
    assert len(finding.hits) == 1


def test_findings_in_other_words_are_told(grown: tuple[Workspace, OpenFile]) -> None:
    workspace, file = grown
    problems = ProblemList(workspace.files, workspace.run)
    for words in ("One record is odd.", "Two records are odd."):
        file.findings = [info("odd", words)]
        assert [problem.sentence for problem in problems.every] == [words]


def test_what_becomes_a_golden_is_what_was_picked(grown: tuple[Workspace, OpenFile]) -> None:
    workspace, file = grown
    some = picked(file, [file.table.tops[1]])
    promotion = Promotion(workspace.files, workspace.selection, workspace.verdicts, workspace.goldens, some)
    grow(workspace, file, LATE)
    assert [file.table.name(each.top) for each in promotion.picked] == ["two"]


def test_whole_texts_are_matched_where_all_of_a_conversation_matches(
    here: JobsHere,  # noqa: F811
    tmp_path: Path,
) -> None:
    """Calls and their results match both: rows that are below others must not be counted twice."""
    path, records, above = tmp_path / "session.jsonl", list[bytes](), ""

    def put(role: str, content: Json) -> None:
        nonlocal above
        own = f"u{len(records)}"
        message: Json = {"role": role, "content": content}
        records.append(
            line({"type": role, "uuid": own, "parentUuid": above or None, "sessionId": "s", "message": message})
        )
        above = own

    put("user", "Go.")
    for number in range(8):
        words = f"{'hay ' * 100}needle"
        put("assistant", [{"type": "tool_use", "id": f"t{number}", "name": "look", "input": {"a": words}}])
        put("user", [{"type": "tool_result", "tool_use_id": f"t{number}", "content": words}])
    path.write_bytes(b"".join(records))
    workspace = Workspace(here, here)
    file = opened_here(workspace, path)
    workspace.filtering.set_text("text:needle")
    for _round in range(300):
        QCoreApplication.processEvents()
    assert len(workspace.filtering.matches(file.number, 100)) == 8
