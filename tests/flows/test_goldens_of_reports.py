"""Goldens that lie on the disk are read a few times for a report, and not once for each file or turn."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values import spilled
from trace_inspector.core.values.spilled import Spilled
from trace_inspector.flows.opening.given_files import CasesOfFiles, CasesOnDisk, Given
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.save_reports import report_sources

FILES, CASES_A_FILE = 30, 4


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is read from the disk, of which nothing is held."""
    noted: list[int] = []
    real = Spilled._read

    def read(self: Spilled[Any], number: int) -> object:
        noted.append(number)
        return real(self, number)

    monkeypatch.setattr(spilled, "HELD", 0)
    monkeypatch.setattr(Spilled, "_read", read)
    return noted


@pytest.fixture
def goldens() -> tuple[Given, ...]:
    """Files of several sets with one case each."""
    disk = CasesOnDisk()
    suites = tuple(map(_suite, range(CASES_A_FILE)))
    return tuple(
        disk.with_room(Given(f"/{file}.json", Contents("adk-eval-set", suites=suites))) for file in range(FILES)
    )


def _suite(number: int) -> Suite:
    return Suite(f"s{number}", cases=(Case(f"c{number}", f"s{number}", place=f"/{number}"),))


def _request(goldens: tuple[Given, ...]) -> Request:
    return Request((Given("/t.json", Contents("adk-session", traces=(Trace("t"),))),), goldens)


def test_lines_of_many_files_read_each_golden_a_few_times(reads: list[int], goldens: tuple[Given, ...]) -> None:
    sources = report_sources(_request(goldens))
    for given in goldens:
        assert sources.where(given.path, "/0") == (0, 0)  # there is no such file
    assert len(reads) <= 3 * FILES * CASES_A_FILE


def test_a_golden_asked_for_again_is_read_once(reads: list[int], goldens: tuple[Given, ...]) -> None:
    cases = report_sources(_request(goldens)).cases
    reads.clear()
    for _turn in range(5):
        assert cases["/7.json", "/2", "c2"].suite_id == "s2"
    assert len(reads) == 1
    assert cases.get(("/7.json", "/2", "c1")) is None


def test_the_cases_of_a_file_of_several_sets_are_not_copied(reads: list[int], goldens: tuple[Given, ...]) -> None:
    of_files = CasesOfFiles(goldens)
    cases = of_files.by_file()["/3.json"]
    assert not reads
    assert [case.id for case in cases] == ["c0", "c1", "c2", "c3"]
    assert [cases[at].id for at in (0, 3, -1)] == ["c0", "c3", "c3"]
    assert [case.id for case in cases[1:3]] == ["c1", "c2"]
    assert [(one.path, one.case.id) for one in of_files[13:15]] == [("/3.json", "c1"), ("/3.json", "c2")]
    with pytest.raises(IndexError):
        cases[4]


def test_conversations_of_a_report_go_with_it(goldens: tuple[Given, ...]) -> None:
    """A run with several reports would hold those of each until the garbage is collected."""
    traces = report_sources(_request(goldens)).traces
    gone = weakref.ref(traces)
    gc.disable()
    try:
        del traces
        assert gone() is None
    finally:
        gc.enable()
