"""Candidates, personas, runs and titles: told of few rows, found by a filter, matched by the id behind a title."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.models.stories import batches, put, rows_of, trace, turn
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Suite
from trace_inspector.core.rows.early_rows import rows_after_early
from trace_inspector.core.rows.row_writer import RowWriter
from trace_inspector.core.rows.rows import Kind, RowBatch, RowDetails
from trace_inspector.core.trace.trace import Trace
from trace_inspector.models.base.file_verdicts import FileVerdicts
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.search.filter_language import FilterError, completions, parse
from trace_inspector.models.search.name_completion import OccurringNames
from trace_inspector.models.workspace.workspace import Workspace

UUID = "6d0f1f0a-61b1-4c3e-9a52-0c4f5a1f7a11"


def ran(name: str, candidate: str, persona: str, title: str = "") -> Trace:
    """One of four conversations of one case."""
    made = trace(name, turn(0, "Where?"), turn(1, "When?"))
    return replace(
        made, candidate=candidate, persona=persona, case_id=UUID, case_runs=4, title=title, case_title="Seats"
    )


RUNS = (
    ran("a", "gemini-old", "novice", "Seats first"),
    ran("b", "gemini-new", "novice"),
    ran("c", "gemini-new", "expert"),
    ran("d", "gemini-new", "expert"),
)
SIMULATED = Case(UUID, scenario=Scenario("Hi", "Ask.", Persona("novice")), title="Seats by phone")


@pytest.fixture
def file(workspace: Workspace) -> OpenFile:
    return put(workspace, "/made/runs.json", *RUNS, Suite("suite", cases=(SIMULATED,)))


def told_in(given: Iterator[RowBatch]) -> list[RowDetails]:
    return [one for batch in given for one in batch.details]


def test_only_what_is_known_beyond_a_line_is_kept() -> None:
    told = told_in(batches(*RUNS, trace("plain", turn(0, "Where?")), Suite("suite", cases=(SIMULATED,))))
    assert [(one.id, one.candidate, one.persona, one.run) for one in told] == [
        ("a", "gemini-old", "novice", 1),
        ("", "gemini-new", "novice", 2),
        ("", "gemini-new", "expert", 3),
        ("", "gemini-new", "expert", 4),
        (UUID, "", "novice", 0),
    ]


def test_titles_stand_in_the_tree_and_ids_lead_to_their_rows(file: OpenFile) -> None:
    table = file.table
    assert [table.label(row) for row in rows_of(table, Kind.RUNS)] == ["Seats"]
    assert [table.label(row) for row in rows_of(table, Kind.TRACE)] == ["first", "b", "c", "d"]
    assert [table.name(row) for row in rows_of(table, Kind.TRACE)] == ["a", "b", "c", "d"]
    assert table.label(table.tops[4]) == "Seats by phone"
    verdicts = FileVerdicts(table)
    assert verdicts.row_at("", UUID) == table.tops[4]
    assert verdicts.row_at("", "a") == table.tops[0]


def test_who_ran_a_case_several_times_is_known(workspace: Workspace, file: OpenFile) -> None:
    told = file.table.details
    assert (list(told.candidates), list(told.personas)) == (["gemini-old", "gemini-new"], ["novice", "expert"])
    assert told.repeated
    assert not put(workspace, "/made/once.json", *RUNS[:3]).table.details.repeated


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("candidate:gemini-old", ["a"]),
        ("candidate:new", ["b", "c", "d"]),
        ("candidate:*old,*new", ["a", "b", "c", "d"]),
        ("persona:expert", ["c", "d"]),
        ("persona:novice", ["a", "b", UUID]),
        ("persona:novice kind:trace -candidate:old", ["b"]),
        ("run:2", ["b"]),
        ("run>2", ["c", "d"]),
        ("turn:2 persona:expert", ["c", "d"]),
        (f"case:{UUID[:8]}", [UUID]),
        ("case:phone", [UUID]),
        ("case:first", ["a"]),
        ("case:Seats", ["a", "b", "c", "d", UUID]),
    ],
)
def test_they_are_filtered_by(
    qtbot: QtBot, workspace: Workspace, file: OpenFile, text: str, names: list[str]
) -> None:
    workspace.filtering.set_text(text)
    qtbot.waitUntil(lambda: not (now := workspace.filtering.showing(file.number)) or not now.searching)
    table = file.table
    assert [table.name(row) for row in table.tops if table.position(row) >= 0] == names


def test_the_filter_offers_those_that_occur(workspace: Workspace, file: OpenFile) -> None:  # noqa: ARG001
    names = OccurringNames(workspace.files).of

    def offered(text: str) -> list[str]:
        return [one.text for one in completions(text, len(text), names)]

    assert offered("candidate:") == ["gemini-old", "gemini-new"]
    assert offered("persona:ex") == ["expert"]
    assert isinstance(parse("candidate>2"), FilterError)


def test_rows_told_early_are_no_others_when_a_candidate_is() -> None:
    def first_rows(candidate: str) -> RowBatch:
        writer = RowWriter()
        for _step in writer.steps(replace(RUNS[0], candidate=candidate)):
            pass
        return writer.take()

    assert rows_after_early(first_rows("one"), first_rows("two")) is None
    same = rows_after_early(first_rows("one"), first_rows("one"))
    assert same is not None
    assert same.batch.details == []
