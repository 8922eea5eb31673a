"""Labels: what people say of outputs. Export and import those of the data folder, merge files, draw a queue; count
failure modes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import UsageError
from trace_inspector.core.review.label import Label, Level, moment
from trace_inspector.core.review.label_sets import merged, undecided
from trace_inspector.flows.review.label_files import LabelFiles, read_label_files
from trace_inspector.flows.review.label_output import write_labels
from trace_inspector.flows.review.queue import BY

BAD_LINES = 1
NOTHING_TO_ASK = 3
_DAY_S = 86_400.0
_BY_TAG = "tag"
_OUTPUT = "the file to write"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, (help_text, add, _run) in _ACTIONS.items():
        add(actions.add_parser(name, help=help_text, description=f"{help_text[0].upper()}{help_text[1:]}."))


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when it was done, 1 when something given is no label, 2 when it could not be done, 3: nothing to ask."""
    _help, _add, act = _ACTIONS[options.action]
    return act(options, terminal)


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs", nargs="*", metavar="RUN", help="only labels about the outputs of these runs, each by id or name"
    )
    _output(parser, "FILE", f"{_OUTPUT}: .jsonl has all, .csv is for spreadsheets; or a folder of labels to add to")


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    _files(parser, " or files of other systems in which people scored conversations, such as Langfuse")


def _merge_arguments(parser: argparse.ArgumentParser) -> None:
    _files(parser)
    _output(parser, "OUT", f"{_OUTPUT} (.jsonl or .csv), or a folder, where each rater has a file")


def _sample_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="files with recorded conversations, or results")
    add(
        "--question",
        default="",
        metavar="Q",
        help="what to ask: “overall”, a metric, METRIC/RUBRIC_ID@DIGEST or a pattern such as “METRIC/*” "
        "(every criterion that a judge decides)",
    )
    levels = [level.value for level in Level]
    add("--level", choices=levels, default=Level.TURN.value, help="what each line is about (turn)")
    add("--n", type=_count, required=True, metavar="N", help="how many lines at most")
    add(
        "--by",
        choices=(*BY,),
        default="",
        help="verdict, case, tag: equally many of each. votes: those on which a judge’s votes differ most. "
        "threshold: those closest to it. grounding: those where judge and local_grounding disagree (default: any)",
    )
    add(
        "--labels",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="labels whose tags count for “--by tag”, besides the stored ones; may be repeated",
    )
    add("--seed", type=int, default=0, metavar="S", help="the same seed draws the same queue (0)")
    _output(parser, "QUEUE.jsonl", _OUTPUT)


def _modes_arguments(parser: argparse.ArgumentParser) -> None:
    from trace_inspector.commands.label_modes import arguments as add_arguments

    add_arguments(parser)


def _files(parser: argparse.ArgumentParser, others: str = "") -> None:
    words = f"files of labels (.jsonl or .csv), folders of them{others}"
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=words)


def _output(parser: argparse.ArgumentParser, metavar: str, words: str) -> None:
    parser.add_argument("-o", "--output", type=Path, required=True, metavar=metavar, help=words)


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 9 or not int(text):
        raise argparse.ArgumentTypeError(f"“{text}” is no number of lines")
    return int(text)


def _export(options: argparse.Namespace, terminal: Terminal) -> int:
    from trace_inspector.flows.review.stored_labels import read_kept

    read = read_kept(options.runs)
    write_labels(read.labels, options.output)
    terminal.say(f"{_counted(len(read.labels))} written to {options.output}")
    for finding in read.findings:
        terminal.complain(f"stored label {finding.line}: {finding.message} It is left out.")
    return BAD_LINES if read.findings else 0


def _import(options: argparse.Namespace, terminal: Terminal) -> int:
    from trace_inspector.flows.review.scores_by_people import read_given_labels
    from trace_inspector.flows.review.stored_labels import keep, kept

    read = [read_given_labels(path) for path in options.files]
    labels = [label for each in read for label in each.labels]
    new = keep(labels)
    answered = sum(label.value is not None for label in labels)
    parts = [f"{_counted(new)} stored"]
    parts += [f"{answered - new:,} were there already"] if answered > new else []
    parts += [f"{len(labels) - answered:,} have no value yet"] if len(labels) > answered else []
    terminal.say("; ".join(parts))
    # Told and not refused: it may be the clock of this computer that is wrong.
    if ahead := sum(label.at > moment(time.time() + _DAY_S) for label in labels):
        terminal.complain(
            f"{_counted(ahead)} of these {'is' if ahead == 1 else 'are'} dated more than a day ahead. Until then "
            "nothing that the same rater says now counts instead."
        )
    if any(label.value is not None and not label.at for label in labels):
        subjects = {label.subject for label in labels}
        _tell_undecided((label for label in kept() if label.subject in subjects), terminal)
    return max(_complain(each, terminal) for each in read)


def _merge(options: argparse.Namespace, terminal: Terminal) -> int:
    together: list[Label] = []
    for path in options.files:
        read = read_label_files([path])
        if _complain(read, terminal):
            terminal.complain("Nothing was written. Mend these lines, or take them away, and merge again.")
            return BAD_LINES
        together = merged(together, read.labels)
    write_labels(together, options.output, options.files)
    terminal.say(f"{_counted(len(together))} in {options.output}")
    _tell_undecided(together, terminal)
    return 0


def _sample(options: argparse.Namespace, terminal: Terminal) -> int:
    from trace_inspector.flows.review.candidates import candidates
    from trace_inspector.flows.review.judged_files import judged_in
    from trace_inspector.flows.review.queue import drawn, tagged
    from trace_inspector.flows.review.stored_labels import kept

    if options.output.suffix.lower() != ".jsonl":
        raise UsageError("A queue is a file that ends in .jsonl.", path=str(options.output))
    if options.labels and options.by != _BY_TAG:
        raise UsageError("--labels says which tags count. Add --by tag.")
    found = candidates(judged_in(options.files), Level(options.level), options.question)
    if options.by == _BY_TAG:
        found = tagged(found, [*kept(), *read_label_files(options.labels).labels])
    lines = drawn(found, options.n, options.seed, options.by)
    if not lines:
        terminal.complain(
            "There is nothing to ask: these files have no such criterion. Evaluate them with a judge first, or ask "
            "“--question overall”."
        )
        return NOTHING_TO_ASK
    write_labels(lines, options.output, options.files)
    fewer = f"; there are no more than these, though {options.n:,} were asked for" if len(lines) < options.n else ""
    terminal.say(f"{_lines(len(lines))} in {options.output}{fewer}")
    return 0


def _modes(options: argparse.Namespace, terminal: Terminal) -> int:
    from trace_inspector.commands.label_modes import run as count_modes

    return count_modes(options, terminal)


def _tell_undecided(labels: Iterable[Label], terminal: Terminal) -> None:
    if count := undecided(labels):
        times = "Once" if count == 1 else f"{count:,} times"
        terminal.complain(
            f"{times} the same rater gives the same output different answers without a time, so that nobody can tell "
            "which was the last. Add “at” to the lines, and what was meant counts."
        )


def _complain(read: LabelFiles, terminal: Terminal) -> int:
    for path, finding in read.findings:
        place = f"{path}:{finding.line}" if finding.line else path
        terminal.complain(f"{place}: {finding.message}")
    return BAD_LINES if read.findings else 0


def _counted(count: int) -> str:
    return "1 label" if count == 1 else f"{count:,} labels"


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count:,} lines"


_Add = Callable[[argparse.ArgumentParser], None]
_Act = Callable[[argparse.Namespace, Terminal], int]
_ACTIONS: Mapping[str, tuple[str, _Add, _Act]] = {
    "export": ("write the labels of the data folder into a file or a folder", _export_arguments, _export),
    "import": (
        "store labels in the data folder; those that are there already are passed over",
        _import_arguments,
        _import,
    ),
    "merge": ("make one set of labels of several files or folders", _merge_arguments, _merge),
    "sample": (
        "draw a queue: labels without value and rater, for people or scripts to answer",
        _sample_arguments,
        _sample,
    ),
    "modes": (
        "count failure modes: how frequent each is, where it first went wrong, whether reading on brings new ones",
        _modes_arguments,
        _modes,
    ),
}
