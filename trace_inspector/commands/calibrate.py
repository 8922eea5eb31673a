"""Measure judges against people: how often a judge is right, and what people would say of all that it judged."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.calibration.agreement import Agreement
from trace_inspector.engine.calibration.calibration import LEAST_LABELS, Calibration
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.flows.review.calibrating import Calibrated, calibrate_files

NOT_REACHED = 1
NOTHING_TO_COMPARE = 3
Minimum = tuple[str, float]
_FIGURES: Mapping[str, Callable[[Agreement], Estimate]] = {
    "kappa": lambda found: found.kappa,
    "ac1": lambda found: found.ac1,
    "sensitivity": lambda found: found.sensitivity,
    "specificity": lambda found: found.specificity,
    "accuracy": lambda found: found.accuracy,
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add(
        "results",
        nargs="+",
        metavar="RESULT",
        help="what judges said: result files, folders of them, or the id or name of a stored run",
    )
    add(
        "--labels",
        action="append",
        required=True,
        type=Path,
        metavar="FILE",
        help="what people said: a file of labels (.jsonl or .csv), or a folder of them; may be repeated",
    )
    add(
        "--question",
        default="",
        metavar="Q",
        help="only this question: “overall”, a metric, METRIC/RUBRIC_ID@DIGEST, or a pattern such as “METRIC/*”",
    )
    add("--json", action="store_true", help="print one JSON object, for other programs to read")
    add("--html", type=Path, metavar="PATH", help="write a page with all figures and disagreements to PATH")
    add(
        "--min",
        action="append",
        default=[],
        type=_minimum,
        metavar="KIND=VALUE",
        help=f"exit with 1 where a question has less than VALUE; KIND is one of {', '.join(_FIGURES)}",
    )
    add(
        "--by-interval",
        action="store_true",
        help="the lower end of the 95 %% interval must reach the VALUE of --min, not the figure alone",
    )


def _minimum(text: str) -> Minimum:
    kind, equals, value = text.partition("=")
    try:
        least = float(value)
    except ValueError:
        least = math.nan
    if not equals or kind not in _FIGURES or not -1 <= least <= 1:
        kinds = ", ".join(_FIGURES)
        raise argparse.ArgumentTypeError(
            f"“{one_line(text, 60)}” is no minimum: write KIND=VALUE, KIND one of {kinds}, VALUE at most 1"
        )
    return kind, least


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when every minimum is reached, 1 when one is not, 2 when it could not run, 3: nothing to compare.

    With minima, 1 also where lines are no labels.
    """
    if options.by_interval and not options.min:
        raise UsageError("--by-interval says how --min is meant. Add --min KIND=VALUE.")
    calibrated = calibrate_files(options.results, options.labels, options.question)
    from trace_inspector.flows.review.opened_test_parts import with_openings

    calibrations = with_openings(calibrated.calibrations)
    odd = [*_odd(calibrated)]
    for sentence in odd:
        terminal.complain(sentence)
    if options.html is not None:
        _save(options, calibrations, odd)
    if options.json:
        from trace_inspector.engine.reports.calibration.as_json import calibrations_json

        terminal.say_json(calibrations_json(calibrations))
    else:
        _print(calibrations, terminal)
    in_use = [found for found in calibrations if not found.stale]
    if not any(found.compared >= LEAST_LABELS for found in in_use):
        terminal.complain(_nothing(calibrated, options.question))
        return NOTHING_TO_COMPARE
    code = _exit_code(in_use, options.min, terminal, by_interval=options.by_interval)
    if options.min and calibrated.findings and not code:
        terminal.complain("--min cannot be told while some lines are no labels. Mend them, or take them away.")
        return NOT_REACHED
    return code


def _print(calibrations: Iterable[Calibration], terminal: Terminal) -> None:
    from trace_inspector.engine.reports.calibration.as_text import lines_of

    for found in calibrations:
        for line in lines_of(found):
            terminal.say(line)


def _odd(calibrated: Calibrated) -> Iterable[str]:
    for path, finding in calibrated.findings:
        yield f"{f'{path}:{finding.line}' if finding.line else path}: {finding.message}"
    if calibrated.elsewhere:
        yield (
            f"{calibrated.elsewhere:,} of {calibrated.labels:,} labels are about outputs or questions of which these "
            "results have no verdict, and are not counted."
        )


def _nothing(calibrated: Calibrated, question: str) -> str:
    if not calibrated.labels:
        return "There are no labels in these files. Draw a queue with “labels sample” and answer it."
    asked = f" of “{one_line(question, 80)}”" if question else ""
    return (
        f"There is nothing to compare{asked}: fewer than {LEAST_LABELS} outputs have both a verdict and a label that "
        "says pass or fail. “labels sample” draws a queue of these results."
    )


def _exit_code(
    calibrations: Sequence[Calibration], minima: Sequence[Minimum], terminal: Terminal, *, by_interval: bool
) -> int:
    codes = {0}
    for found in calibrations:
        for kind, least in minima:
            figure = _FIGURES[kind](found.agreement)
            reached = figure.low if by_interval else figure.value
            where = f"{one_line(found.question, 80)} ({found.level.value}): {kind}"
            # κ of one class alone is 0 whatever the judge says: that decides nothing.
            if found.compared < LEAST_LABELS:
                terminal.complain(f"{where} cannot be told: fewer than {LEAST_LABELS} outputs are compared.")
                codes.add(NOTHING_TO_COMPARE)
            elif reached is None or (figure.reason.startswith("one class") and kind == "kappa"):
                terminal.complain(f"{where} cannot be told: {figure.reason}.")
                codes.add(NOTHING_TO_COMPARE)
            elif reached < least:
                of = "the lower end of its interval" if by_interval else "it"
                terminal.complain(f"{where} does not reach {least:g}: {of} is {reached:.3f}.")
                codes.add(NOT_REACHED)
    return NOT_REACHED if NOT_REACHED in codes else max(codes)


def _save(options: argparse.Namespace, calibrations: Sequence[Calibration], odd: Sequence[str]) -> None:
    """Write the page, never over an input."""
    from trace_inspector.documents.base.document import Container, Document
    from trace_inspector.documents.saving.saving import save
    from trace_inspector.engine.reports.calibration import REPORTS
    from trace_inspector.flows.runs.requested_reports import RequestedReport, refuse_inputs

    (report,) = REPORTS
    refuse_inputs([RequestedReport(report.name, options.html)], [*options.results, *options.labels])
    text = report.write(calibrations, odd)
    save(Document(options.html, text.encode("utf-8"), Container.JSON, None), force=True)
