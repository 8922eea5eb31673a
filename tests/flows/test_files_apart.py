"""Two files with the same case, opened side by side, are no repeats of one run unless somebody says so."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from trace_inspector.flows.runs.compare_stored import compare_named
from trace_inspector.flows.runs.evaluate_files import evaluate, open_given
from trace_inspector.flows.runs.store_run import load_run, save_run
from trace_inspector.models.evaluation.evaluation_options import EvaluationOptions
from trace_inspector.resources import folder
from trace_inspector.work.runs.run_request import RunOrder, request_of

SAMPLES = folder("samples")


@pytest.mark.parametrize("said", [EvaluationOptions().files_are_repeats, True])
def test_what_was_said_is_kept_with_the_run_and_counts_when_it_is_compared(said: bool) -> None:
    order = RunOrder((), files_are_repeats=said)
    files = open_given([SAMPLES / "run-0405.json", SAMPLES / "run-0412.json"])
    goldens = open_given([SAMPLES / "retail.evalset.json"])
    request = replace(request_of(order, iter(())), traces=files, goldens=goldens)
    run = evaluate(request)
    assert save_run(run, request) == ""
    kept = load_run(run.id)
    assert kept is not None
    assert kept.shown.files_apart is not said
    names = [case.name for case in compare_named(run.id, run.id).runs.cases if "seattle_coffee_001" in case.name]
    apart = ["seattle_coffee_001 (run-0405.json)", "seattle_coffee_001 (run-0412.json)"]
    assert names == (["seattle_coffee_001"] if said else apart)
