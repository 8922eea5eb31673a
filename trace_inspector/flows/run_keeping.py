"""Runs kept in the user's data folder."""

from __future__ import annotations

from trace_inspector.core.values import JsonObject
from trace_inspector.core.verdict import RunVerdict
from trace_inspector.flows.evaluate_files import Request
from trace_inspector.settings import ready_data_folder
from trace_inspector.store import runs
from trace_inspector.store.database import database


def keep(run: RunVerdict, request: Request) -> str:
    """Store a run with its configuration and the hashes of its inputs. A sentence when that did not work, else ""."""
    choices = request.choices
    configuration: JsonObject = {
        "traces": [given.path for given in request.traces],
        "goldens": [given.path for given in request.goldens],
        "only": list(request.only),
        "rules": choices.rules,
        "pair_by": choices.pair_by,
        "pairs": list(choices.pairs),
        "cases": list(choices.cases),
        "extra_turns_fail": choices.extra_turns_fail,
        "judge": request.judge.name if request.judge else None,
    }
    inputs = {given.path: given.digest for given in (*request.traces, *request.goldens)}
    try:
        folder = ready_data_folder()
    except (OSError, RuntimeError) as problem:
        return f"This run is not kept, because the data folder cannot be made: {problem}."
    with database(folder) as store:
        return runs.save(store, run, configuration, inputs)
