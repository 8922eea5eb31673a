"""The sample workspace without a window: its verdicts as a table."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.commands.output.evaluate_table import print_run
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.flows.judges.judge_files import judge_named
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given
from trace_inspector.flows.runs.save_reports import reported_by
from trace_inspector.resources import folder


def sample_request() -> Request:
    """The goldens and runs of the samples. Their recorded judge replies are used because --samples asks for them."""
    samples = folder("samples")
    return Request(
        traces=open_given(sorted(samples.glob("run-*.json"))),
        goldens=open_given([samples / "retail.evalset.json"]),
        judge=judge_named(f"recorded:{samples / 'judge-replies.json'}"),
    )


def run(terminal: Terminal) -> int:
    """Print the verdicts; 0 when the evaluation worked, whatever it says."""
    request = sample_request()
    terminal.say(f"The samples in {Path(request.goldens[0].path).parent}, without a window:")
    terminal.say()
    print_run(evaluate(request), terminal, reported_by(request))
    return 0
