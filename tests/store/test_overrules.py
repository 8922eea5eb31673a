"""Overrules on disk: added, withdrawn, listed; their run is never touched."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.store.test_runs import RUN, judged
from trace_inspector.core.errors import SaveError
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.run_summary import RunSummary
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.store import overrules, runs
from trace_inspector.store.database import database

ONE = Overrule("one", 0, Status.PASSED, 10.0, 0, "m", "read it \ud83d\x00 twice")
TWO = Overrule("two", 0, Status.FAILED, 5.0)


def test_what_was_said_comes_back_in_its_order(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        runs.save(store, RUN, {}, {}, RunSummary(Status.FAILED))
        overrules.add(store, RUN.id, ONE)
        overrules.add(store, RUN.id, TWO)
    with database(tmp_path) as store:
        assert overrules.overrules_of(store, RUN.id) == (ONE, TWO)
        assert overrules.overrules_of(store, "another") == ()
        assert judged(store, RUN.id) == RUN
        assert runs.recent(store)[0].summary is None, "its figures are outdated"


def test_what_is_withdrawn_stays_on_record(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        runs.save(store, RUN, {}, {})
        overrules.add(store, RUN.id, ONE)
        runs.put_summary(store, RUN.id, RunSummary(Status.PASSED))
        overrules.withdraw(store, "one", 20.0)
        overrules.withdraw(store, "one", 30.0)
        assert overrules.overrules_of(store, RUN.id) == (replace(ONE, withdrawn_s=20.0),)
        assert runs.recent(store)[0].summary is None
        with pytest.raises(SaveError, match="not kept"):
            overrules.withdraw(store, "never said", 1.0)


def test_nothing_can_be_said_of_a_run_that_is_not_kept(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        with pytest.raises(SaveError, match="its run is not kept"):
            overrules.add(store, "gone", ONE)
        runs.save(store, RUN, {}, {})
        overrules.add(store, RUN.id, ONE)
        with pytest.raises(SaveError, match="not overruled"):
            overrules.add(store, RUN.id, ONE)
