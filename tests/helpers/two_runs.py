"""Two kept runs of the samples: the earlier conversations and the later ones against the same goldens."""

from __future__ import annotations

from trace_inspector.flows.judges.judge_files import judge_named
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given
from trace_inspector.flows.runs.store_run import save_run
from trace_inspector.resources import folder


def keep_sample_runs() -> tuple[str, str]:
    """Evaluate and keep both; gives their ids."""
    samples, ids = folder("samples"), []
    goldens = open_given([samples / "retail.evalset.json"])
    for name in ("run-0405.json", "run-0412.json"):
        judge = judge_named(f"recorded:{samples / 'judge-replies.json'}")
        request = Request(open_given([samples / name]), goldens, judge=judge)
        run = evaluate(request)
        assert save_run(run, request) == ""
        ids.append(run.id)
    return ids[0], ids[1]
