"""Score recorded conversations (traces) against goldens, turn by turn, with the reason for each verdict."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from trace_inspector.commands.output.evaluate_table import print_forecast, print_run
from trace_inspector.commands.output.redacting import redact_arguments, redaction_of
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.documents.text.garbage_collection import gc_frozen
from trace_inspector.engine.criteria.outcome import exit_code
from trace_inspector.engine.criteria.rules import RULES
from trace_inspector.engine.judges.call_limits import IN_FLIGHT, Use
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.engine.reports.sources import Reported
from trace_inspector.engine.running import interrupts
from trace_inspector.engine.running.judging import NOBODY
from trace_inspector.engine.running.planning import Choices
from trace_inspector.engine.scoring.metric import MODEL, SERVICE
from trace_inspector.flows.judges.judge_files import (
    KINDS,
    AnyJudge,
    JudgeOptions,
    implied_judge,
    judge_named,
    only_classifier,
    replies_of,
)
from trace_inspector.flows.opening.given_files import HELD_BYTES, CasesOnDisk, Given
from trace_inspector.flows.runs.criteria_files import read_criteria
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given
from trace_inspector.flows.runs.requested_reports import (
    RUN_REPORTS,
    RequestedReport,
    refuse_inputs,
    requested_reports,
)
from trace_inspector.flows.runs.save_reports import (
    ReportInput,
    inputs_of,
    redacted,
    report_sources,
    reported_by,
    save_report,
)
from trace_inspector.flows.runs.store_run import save_run

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from trace_inspector.engine.running.engine import Engine
    from trace_inspector.engine.running.runner import WorkItem
    from trace_inspector.flows.runs.run_verdicts import NotedRun

Joined: TypeAlias = Callable[[Sequence[Given]], tuple[Given, ...]]
CANNOT_RUN = 2
MOST_JOBS = 61  # the limit of processes to wait for on Windows
MOST_CALLS = 1000
_KINDS = ", ".join(RUN_REPORTS)
_RULES = ", ".join(rules.name for rules in RULES)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("traces", nargs="+", type=Path, metavar="TRACES", help="files with recorded conversations")
    judging_arguments(parser)
    add = parser.add_argument
    add(
        "--resume",
        action="store_true",
        help="go on with the same run where it was stopped or killed: what is done stays, cases with an error are "
        "tried again, and no question whose reply had arrived is asked again",
    )
    add("--dry-run", action="store_true", help="show how many calls a judge would get, and send nothing")


def judging_arguments(parser: argparse.ArgumentParser) -> None:
    """Add those that say how conversations are judged, wherever they come from, and what is made of it."""
    add = parser.add_argument
    add("--golden", nargs="+", action="extend", default=[], type=Path, metavar="FILE", help="files with goldens")
    add(
        "--pair",
        action="append",
        default=[],
        metavar="CASE=TRACE",
        help="pair this trace with this case, by their ids; may be repeated",
    )
    add(
        "--pair-by",
        choices=("auto", "id", "text", "order"),
        default="auto",
        help="how to find the case of each trace (auto: by ids, then by texts)",
    )
    add(
        "--criteria",
        type=Path,
        metavar="FILE",
        help="file with metrics and thresholds (default: test_config.json beside the golden)",
    )
    add("--rules", type=_rules, metavar="SYSTEM", help=f"pair, score and decide by the rules of one system: {_RULES}")
    add("--only", nargs="+", action="extend", default=[], metavar="METRIC", help="evaluate only these metrics")
    add(
        "--case",
        nargs="+",
        action="extend",
        default=[],
        metavar="GLOB",
        help="evaluate only cases whose id matches this pattern, such as “refund_*”",
    )
    tags = "evaluate only cases with one of these tags"
    add("--tag", nargs="+", action="extend", default=[], metavar="TAG", help=tags)
    add("--judge", metavar="NAME", help=f"the judge for metrics that need one: {KINDS}")
    add(
        "--in-flight",
        type=partial(_positive, most=MOST_CALLS),
        default=IN_FLIGHT,
        metavar="N",
        help=f"number of questions to the judge at the same time ({IN_FLIGHT})",
    )
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--no-cache", action="store_true", help="neither use nor store replies of the judge")
    kept.add_argument("--refresh", action="store_true", help="ask the judge again, and store its new replies")
    add(
        "--allow-endpoint",
        action="append",
        default=[],
        metavar="URL",
        help="let criteria that name this base URL send their questions there",
    )
    add(
        "--grounding-model",
        default="",
        metavar="FOLDER",
        help="also label sentences by the exported classifier in this folder (metric grounding_model, which informs)",
    )
    add(
        "--metric-command",
        action="append",
        type=_metric_command,
        default=[],
        metavar="NAME=COMMAND",
        help="a metric that a program of yours computes, in any language: it reads and writes JSON (docs/plugins.md)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs", type=_positive, metavar="N", help="number of processes that share the work (1), as --on local:N"
    )
    where.add_argument(
        "--on",
        metavar="ENGINE",
        help="what works on the run: local[:N], dask[:N], dask:tcp://HOST:PORT, dask:tls://HOST:PORT (extra "
        "cluster), batch (batch jobs of the judge) or factory:MODULE:NAME, a callable that returns an executor",
    )
    add(
        "--trust-cluster",
        action="store_true",
        help="reach a Dask scheduler beyond this machine by tcp:// too: its network is trusted",
    )
    add(
        "--report",
        action="append",
        default=[],
        metavar="KIND=PATH",
        help=f"write a report to PATH; KIND is one of {_KINDS}",
    )
    add(
        "--results",
        type=Path,
        metavar="DIR",
        help="also write the results as Parquet into this new folder, for “query” (needs the extra sql)",
    )
    redact_arguments(parser)
    add(
        "--extra-turns",
        choices=("fail", "allow"),
        default="fail",
        help="whether a turn that no golden turn expects fails the case (fail)",
    )
    add(
        "--fail-on",
        choices=("failed", "not-evaluated", "never"),
        default="not-evaluated",
        help="when to exit with 1 or 3 (not-evaluated: failed or undecided; failed: failed only)",
    )
    add("--json", action="store_true", help="print the run as one JSON object, for other programs to read")


def run(options: argparse.Namespace, terminal: Terminal, joined: Joined = tuple) -> int:
    """Evaluate, keep, report, print. `joined` puts together what lies in several of the files."""
    with contextlib.ExitStack() as stack:
        return _run(options, _engine(options, stack), terminal, joined)


def _run(options: argparse.Namespace, engine: Engine | None, terminal: Terminal, joined: Joined) -> int:
    requested, redaction = requested_reports(options.report, RUN_REPORTS, "a run"), redaction_of(options)
    request = request_of(options, engine)
    request = replace(request, traces=joined(request.traces), all_at_once=bool(requested or redaction))
    replies = replies_of(options.judge or "")
    refuse_inputs(requested, [*inputs_of(request), *([replies] if replies else [])])
    if options.results:
        from trace_inspector.flows.results.write_results import refuse_results

        refuse_results(options.results, request)
    if options.dry_run:
        from trace_inspector.flows.runs.dry_run import foresee

        print_forecast(foresee(request), terminal, as_json=options.json)
        return 0
    with gc_frozen():
        return _judged(options, request, requested, redaction, terminal)


def _judged(
    options: argparse.Namespace,
    request: Request,
    requested: Sequence[RequestedReport],
    redaction: Redaction,
    terminal: Terminal,
) -> int:
    verdict = evaluate(request, _Progress(terminal), noting=partial(_noted, terminal.complain))
    # Store the run first: a report that cannot be written must not lose it.
    problem = save_run(verdict, request)
    if problem:
        terminal.complain(problem)
    redacted_run = redacted(verdict, request, redaction) if redaction else None
    unwritten = sum(not _saved(report, verdict, request, redacted_run, terminal) for report in requested)
    unwritten += bool(options.results) and not _wrote_results(
        options.results, verdict, request, redacted_run, terminal
    )
    # A closed pipe must not turn a failed run into a passed one.
    with contextlib.suppress(BrokenPipeError):
        _print(
            options,
            redacted_run.run if redacted_run else verdict,
            redacted_run.sources.reported if redacted_run else reported_by(request),
            terminal,
        )
    if verdict.stopped:
        return interrupts.exit_code()
    return CANNOT_RUN if unwritten else exit_code(verdict, options.fail_on)


def _noted(
    tell: Callable[[str], None], request: Request, head: RunVerdict, items: Sequence[WorkItem], order: Sequence[int]
) -> AbstractContextManager[NotedRun | None]:
    """The ledger, imported only for a run that is worth it."""
    from trace_inspector.flows.runs.run_ledger import run_ledger

    return run_ledger(tell, request, head, items, order)


def _saved(
    report: RequestedReport,
    verdict: RunVerdict,
    request: Request,
    redacted_run: ReportInput | None,
    terminal: Terminal,
) -> bool:
    try:
        save_report(report, verdict, request, redacted_run, _judges)
    except InspectorError as problem:
        terminal.complain(problem)
        return False
    return True


def _wrote_results(
    folder: Path, verdict: RunVerdict, request: Request, redacted_run: ReportInput | None, terminal: Terminal
) -> bool:
    from trace_inspector.flows.results.write_results import write_results

    try:
        write_results(folder, redacted_run or ReportInput(verdict, report_sources(request)), request)
    except InspectorError as problem:
        terminal.complain(problem)
        return False
    return True


def _judges(verdict: RunVerdict, request: Request) -> tuple[str, ...]:
    from trace_inspector.flows.review.judge_lines import judge_lines

    return judge_lines(verdict, request)


def _engine(options: argparse.Namespace, stack: contextlib.ExitStack) -> Engine | None:
    """What works on the run, with its workers' versions checked; imported only for more than this process."""
    named = options.on or (f"local:{options.jobs}" if (options.jobs or 1) > 1 else "")
    if not named or options.dry_run:
        return None
    from trace_inspector.engine.running.engines import engine_named

    return stack.enter_context(engine_named(named, trust=options.trust_cluster))


def request_of(options: argparse.Namespace, engine: Engine | None = None) -> Request:
    """What to evaluate, as the options say."""
    if options.resume and options.no_cache:
        raise UsageError("--resume goes on from stored replies of the judge; leave out --no-cache.")
    criteria: Criteria | None = read_criteria(options.criteria) if options.criteria else None
    judge = _judge(options)
    if options.on == "batch":
        from trace_inspector.flows.judges.batch_judge import in_batches

        judge = in_batches(judge, Terminal().complain)
    # Workers beyond this process tree read what they judge from its file.
    held = HELD_BYTES if engine is None or engine.is_local else 0
    return Request(
        traces=open_given(options.traces, besides=options.golden, held_bytes=held, engine=engine),
        goldens=open_given(options.golden, cases=CasesOnDisk()),
        criteria=criteria,
        only=tuple(options.only),
        choices=Choices(
            rules=options.rules or "",
            pair_by=options.pair_by,
            pairs=tuple(options.pair),
            cases=tuple(options.case),
            tags=tuple(options.tag),
            extra_turns_fail=options.extra_turns == "fail",
        ),
        judge=judge,
        jobs=options.jobs or 1,
        resume=options.resume,
        engine=engine,
    )


def _judge(options: argparse.Namespace) -> AnyJudge | None:
    # Naming a criterion that needs a judge starts one; files beside the data never do.
    asked_for = bool(options.criteria or options.only)
    judge_options = JudgeOptions(
        Use(in_flight=options.in_flight, fresh=options.refresh),
        keeps=not options.no_cache,
        asked_for=asked_for,
        endpoints=tuple(options.allow_endpoint),
        grounding_model=options.grounding_model,
    )
    if options.grounding_model and replies_of(options.judge or ""):
        raise UsageError("A grounding model is not asked beside recorded replies; leave out one of the two options.")
    if options.judge:
        return judge_named(options.judge, judge_options)
    if asked_for:
        return implied_judge(judge_options)
    return only_classifier(judge_options, NOBODY[MODEL], NOBODY[SERVICE]) if options.grounding_model else None


def _print(options: argparse.Namespace, verdict: RunVerdict, reported: Reported, terminal: Terminal) -> None:
    if verdict.stopped:
        terminal.complain("Stopped. The cases evaluated so far are shown and stored.")
    if options.json:
        from trace_inspector.engine.reports.as_json import run_json

        terminal.say_json_pieces(run_json(verdict, reported))
    else:
        print_run(verdict, terminal, reported)


class _Progress:
    """A counter on standard error in a terminal, removed when the run is over."""

    def __init__(self, terminal: Terminal) -> None:
        self._err = terminal.err
        self._watched = terminal.err is sys.stderr and terminal.err.isatty()

    def __call__(self, done: int, total: int, _verdict: CaseVerdict) -> None:
        if self._watched:
            self._err.write(f"\r\x1b[K{done} of {total} cases" if done < total else "\r\x1b[K")
            self._err.flush()


def _rules(text: str) -> str:
    if text not in {rules.name for rules in RULES}:
        raise argparse.ArgumentTypeError(f"there are no rules named “{one_line(text, 60)}”; choose one of {_RULES}")
    return text


def _metric_command(text: str) -> tuple[str, tuple[str, ...]]:
    from trace_inspector.engine.metrics.added.command_metric import read_command

    return read_command(text, METRICS)


def _positive(text: str, most: int = MOST_JOBS) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if not 1 <= number <= most:
        raise argparse.ArgumentTypeError(f"give a number from 1 to {most}")
    return number
