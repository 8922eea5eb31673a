"""`rebase` and `explain` take stored runs by id or name, as `compare-runs` does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.rebase_suite import Raw, Suite, call, suite
from trace_inspector.cli import main
from trace_inspector.flows.runs.store_run import list_runs, rename

CASES = 8
NAME = "after the change"


def evaluated(made: Suite) -> str:
    """The id of a run that is stored."""
    main(["evaluate", str(made.new), "--golden", str(made.golden)])
    run_id = list_runs().lines[0].id
    rename(run_id, NAME)
    return run_id


@pytest.fixture
def made(tmp_path: Path) -> Suite:
    return suite(tmp_path, CASES)


def test_a_rebase_onto_a_stored_run(made: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    run_id = evaluated(made)
    capsys.readouterr()
    told = []
    for name in (NAME, run_id, str(made.new)):
        assert main(["rebase", str(made.golden), "--base", str(made.base), "--new", name, "--json"]) == 1
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1] == told[2]
    assert len(told[0]["rows"]) >= 6


def test_a_run_whose_files_changed_is_refused(made: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    evaluated(made)
    made.new.write_bytes(made.new.read_bytes() + b"\n")
    assert main(["rebase", str(made.golden), "--base", str(made.base), "--new", NAME]) == 2
    assert f"was about {made.new.name}, gone or changed since" in capsys.readouterr().err
    assert main(["rebase", str(made.golden), "--base", "no such run", "--new", NAME]) == 2
    assert "There is no file and no run named “no such run”" in capsys.readouterr().err


def test_a_stored_run_is_explained_by_its_own_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = suite(tmp_path, 30)
    new = json.loads(made.base.read_text("utf-8"))

    def skip(case: Raw) -> None:
        listed = case["conversation"][0]["intermediate_data"]["tool_uses"]
        listed.remove(call(case, "check_policy"))

    for case in new["eval_cases"][:12]:
        skip(case)
    made.new.write_text(json.dumps(new), "utf-8")
    made.golden.write_bytes(made.base.read_bytes())
    run_id = evaluated(made)
    capsys.readouterr()
    assert main(["explain", NAME]) == 0
    out = capsys.readouterr().out
    assert "12 of 12 failing runs skip `check_policy`; 0 of 18 passing do (circular" in out
    assert main(["explain", run_id, NAME]) == 0  # the same run twice is no evidence twice
    twice = capsys.readouterr()
    assert twice.out == out
    assert "counted once" in twice.err
    assert main(["explain", "no such run"]) == 2
    assert "There is no file and no run named" in capsys.readouterr().err
    made.new.unlink()
    assert main(["explain", NAME]) == 2
    assert "There is no verdict" in capsys.readouterr().err
