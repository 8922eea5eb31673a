"""Runs in the data folder, as the window asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.store.test_runs import RUN
from trace_inspector.core.errors import SaveError
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.flows.opening.given_files import Given
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.store_run import forget, list_runs, load_run, overrule, rename, save_run, withdraw
from trace_inspector.settings import data_folder
from trace_inspector.store.database import FILE_NAME, database

REQUEST = Request(())
PASS = Overrule("o", 0, Status.PASSED, 1.0, None, "m", "it is right")


def test_a_kept_run_is_listed_with_its_figures_and_comes_back_whole() -> None:
    assert save_run(RUN, REQUEST) == ""
    (line,) = list_runs().lines
    assert line.summary is not None
    assert (line.id, line.summary.pass_rate, line.summary.criteria[0].mean) == (RUN.id, 0.0, 0.1 + 0.2)
    found = load_run(RUN.id)
    assert found is not None
    assert (found.judged, found.shown, found.overrules) == (RUN, RUN, ())
    assert found.configuration["pair_by"] == "auto"
    assert load_run("another") is None


def test_an_overrule_shows_in_run_and_list_until_it_is_withdrawn() -> None:
    save_run(RUN, REQUEST)
    overrule(RUN.id, PASS)
    found = load_run(RUN.id)
    assert found is not None
    assert (found.judged, found.shown.cases[0].metrics[0].status) == (RUN, Status.PASSED)
    assert [line.summary.overruled for line in list_runs().lines if line.summary] == [1]
    withdraw(PASS.id)
    again = load_run(RUN.id)
    assert again is not None
    assert again.shown == RUN
    assert [one.withdrawn_s is not None for one in again.overrules] == [True]
    assert [line.summary.overruled for line in list_runs().lines if line.summary] == [0]


def test_figures_that_were_made_are_kept() -> None:
    save_run(RUN, REQUEST)
    overrule(RUN.id, PASS)
    made = list_runs().lines
    with database(data_folder()) as store:
        store.connection.execute("UPDATE run SET verdict = 'nothing to make them from'")
    assert list_runs().lines == made


def test_a_run_that_cannot_be_read_holds_up_no_list() -> None:
    save_run(RUN, REQUEST)
    save_run(replace(RUN, id="newer", started_s=RUN.started_s + 1), REQUEST)
    with database(data_folder()) as store:
        store.connection.execute("UPDATE run_line SET summary = NULL")
        store.connection.execute("UPDATE run SET verdict = 'broken' WHERE id = 'newer'")
    assert [(line.id, line.summary is None) for line in list_runs().lines] == [("newer", True), (RUN.id, False)]


def test_names_and_forgetting() -> None:
    save_run(RUN, REQUEST)
    rename(RUN.id, "before")
    assert [line.name for line in list_runs().lines] == ["before"]
    forget(RUN.id)
    assert list_runs().lines == ()
    with pytest.raises(SaveError, match="its run is not kept"):
        overrule(RUN.id, PASS)


def test_damage_that_shows_only_in_use_costs_no_run() -> None:
    save_run(RUN, REQUEST)
    path = data_folder() / FILE_NAME
    with database(data_folder()) as store:
        store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 40_000)
    assert "is now" in save_run(RUN, REQUEST)
    assert [line.id for line in list_runs().lines] == [RUN.id]


def test_a_list_of_a_store_that_cannot_be_used_says_so() -> None:
    (data_folder() / FILE_NAME).mkdir(parents=True)
    found = list_runs()
    assert (found.lines, "not stored" in found.problem) == ((), True)


def test_many_figures_that_are_not_there_yet_are_made_by_and_by() -> None:
    for at in range(12):
        save_run(replace(RUN, id=f"run {at:02}", started_s=float(at)), REQUEST)
    with database(data_folder()) as store:
        store.connection.execute("UPDATE run_line SET summary = NULL")
    told = [[line.summary is not None for line in list_runs().lines] for _ in range(2)]
    assert told == [[True] * 10 + [False] * 2, [True] * 12]


def test_runs_of_the_same_goldens_belong_together_however_their_files_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, linked = tmp_path / "real", tmp_path / "linked"
    real.mkdir()
    linked.symlink_to(real)
    monkeypatch.chdir(real)
    for at, folder in enumerate((real, linked, Path())):
        goldens = (Given(str(folder / "golden.json"), Contents("spans")),)
        traces = (Given(str(tmp_path / f"trace-{at}.json"), Contents("spans")),)
        save_run(replace(RUN, id=f"run-{at}"), Request(traces, goldens))
    save_run(replace(RUN, id="without"), Request(traces))
    suites = {line.id: line.suite for line in list_runs().lines}
    golden = (str(real_path(real / "golden.json")),)
    assert suites == {"run-0": golden, "run-1": golden, "run-2": golden, "without": (str(real_path(tmp_path)),)}
    with database(data_folder()) as store:
        store.connection.execute("UPDATE run SET configuration = json_remove(configuration, '$.suite')")
        store.connection.execute("UPDATE run SET configuration = 'no JSON' WHERE id = 'without'")
    suites = {line.id: line.suite for line in list_runs().lines}
    assert (suites["run-0"], suites["without"]) == ((str(real / "golden.json"),), ()), (
        "earlier versions kept no suite"
    )
