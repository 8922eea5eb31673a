"""Rows of Ragas: conversations with what was retrieved and their scores, goldens with the answer that is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.opened import codes, opened, spoken
from tests.formats.ragas_files import TABLE, old_row, rows
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.opening.open_file import open_file


def retrieved(contents: Contents) -> list[object]:
    """What was retrieved for the first question."""
    turn = contents.traces[0].turns[0]
    return [part.value for event in turn.events for part in event.parts if isinstance(part, ToolResult)]


def test_rows_become_conversations_and_cases(tmp_path: Path) -> None:
    contents = opened(tmp_path, rows(), "ragas")
    assert [spoken(trace) for trace in contents.traces] == [
        [("Where may I park?", "At Pier 4.")],
        [("Where may I park?", "At Pier 4."), ("Is it open?", "It is.")],
    ]
    assert retrieved(contents) == [["Pier 4 is open.", "Pier 5 is not."]]
    (suite,) = contents.suites
    assert [answer_text(case.turns[0]) for case in suite.cases] == ["Pier 4", "It is.", "Pier 4 is open."]
    assert [[extra.name for extra in case.extras] for case in suite.cases] == [
        ["synthesizer_name"],
        ["reference_contexts"],
        ["rubrics"],
    ]
    assert codes(contents) == {"records-understood": "3 of 3 records are understood."}


def test_a_score_alone_neither_passes_nor_fails(tmp_path: Path) -> None:
    (case,) = opened(tmp_path, rows(), "ragas").reported
    assert [(metric.metric, metric.score, metric.status) for metric in case.metrics] == [
        ("faithfulness", 1.0, Status.INFORMATIONAL),
        ("answer_relevancy", 0.5, Status.INFORMATIONAL),
    ]


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_the_numbers_of_rows_are_no_scores(tmp_path: Path, name: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(
        f"{name},user_input,retrieved_contexts,response,faithfulness\n7,Where?,,Here.,0.5\n", encoding="utf-8"
    )
    (case,) = open_file(path).contents.reported
    assert [(metric.metric, metric.score) for metric in case.metrics] == [("faithfulness", 0.5)]


def test_lists_in_tables_are_read_as_python_writes_them(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(TABLE, encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "ragas"
    assert retrieved(contents) == [['Pier 4 is "open".', "It's\nnear."]]
    assert [metric.metric for metric in contents.reported[0].metrics] == ["faithfulness"]


def test_the_names_of_before_are_read_as_well(tmp_path: Path) -> None:
    contents = opened(tmp_path, [old_row()], "ragas")
    assert [spoken(trace) for trace in contents.traces] == [[("Where may I park?", "At Pier 4.")]]
    assert answer_text(contents.suites[0].cases[0].turns[0]) == "Pier 4"


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("['a', 'b\\'c', \"d\\\\\"]", ["a", "b'c", "d\\"]),
        ("['\\x41\\u0042']", ["AB"]),
        ('["a"]', ["a"]),
        ("array(['a'], dtype=object)", ["array(['a'], dtype=object)"]),
        ("[__import__('os')]", ["[__import__('os')]"]),
        ("['a', __import__('os')]", ["['a', __import__('os')]"]),
        ("['a'] + ['b']", ["['a'] + ['b']"]),
        ("['" + "\\'" * 100_000, ["['" + "\\'" * 100_000]),
        ("[1, 2]", [1, 2]),
        ("['" + "[" * 5_000, ["['" + "[" * 5_000]),
    ],
)
def test_nothing_in_a_cell_is_evaluated(tmp_path: Path, cell: str, texts: list[object]) -> None:
    row: Json = {"user_input": "?", "retrieved_contexts": cell, "response": "!"}
    assert retrieved(opened(tmp_path, [row], "ragas")) == [texts]


_ODD: list[list[Json]] = [
    [*rows(), {}, 7, {"user_input": 5, "response": {}}, {"user_input": [5], "reference": ["", 5]}],
    [{"user_input": [{"content": 5, "type": "ai"}], "retrieved_contexts": 5, "faithfulness": "nan"}],
]


@pytest.mark.parametrize("value", _ODD)
def test_odd_rows_are_read_as_far_as_they_go(tmp_path: Path, value: list[Json]) -> None:
    assert "records-understood" in codes(opened(tmp_path, value, "ragas"))
