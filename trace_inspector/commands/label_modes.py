"""`labels modes`: failure modes counted, with intervals, saturation, and where each first went wrong."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from trace_inspector.commands.output.columns import Cell, print_columns
from trace_inspector.commands.output.terminal import Colour, Terminal
from trace_inspector.core.errors import UsageError
from trace_inspector.core.review.codebook import Codebook
from trace_inspector.core.review.failure_modes import Matrix, Reading, matrix, reading
from trace_inspector.core.review.fault_places import AXES
from trace_inspector.core.review.label import Level
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.figures import percent
from trace_inspector.engine.failure_modes import words
from trace_inspector.engine.failure_modes.as_json import changes_json, matrix_json, reading_json
from trace_inspector.engine.failure_modes.rates import ModeChange, ModeRate, changes
from trace_inspector.flows.review.codebook_file import load_codebook, own_codebook
from trace_inspector.flows.review.failures import Failures, codebook_beside, failures_of, places_known
from trace_inspector.flows.review.label_files import LabelFiles, read_label_files

NOTHING_LABELLED = 3
_MOST_COLUMNS = 20  # of the matrix, in a terminal
_NAME_CHARS, _NOTE_CHARS = 60, 100
_MOST_NOTES = 3  # of a group


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the action."""
    add = parser.add_argument
    add(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="files of labels (.jsonl or .csv) or folders of them (default: the labels of the data folder)",
    )
    add(
        "--codebook",
        type=Path,
        metavar="FILE",
        help="names, descriptions and earlier names of the modes (default: codebook.toml beside the labels)",
    )
    levels = [level.value for level in Level]
    add("--level", choices=levels, default=Level.TURN.value, help="what is counted: labelled … (turn)")
    add("--question", default="", metavar="Q", help="only labels that answer this question (all)")
    add(
        "--by",
        choices=(*AXES,),
        default="tool",
        help="divide failures by the tool, agent, hand-off, turn or part (call, answer, sentence) where they first "
        "went wrong (tool)",
    )
    add(
        "--traces",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="the recorded conversations, which tell agents and tools of that place; may be repeated",
    )
    add(
        "--baseline",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="labels of an earlier run, or a folder: tell which modes rose or fell since; may be repeated",
    )
    add("--json", action="store_true", help="print one JSON object, for other programs to read")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when modes were counted, 1 when a line is no label, 3 when nothing is labelled."""
    level = Level(options.level)
    given = _labels(options.files)
    earlier = read_label_files(options.baseline) if options.baseline else None
    book = _codebook(options, terminal)
    failures = failures_of(given.labels, book, level, options.question)
    read = failures.read
    odd = [*_odd(given), *(_odd(earlier) if earlier else ())]
    for sentence in odd:
        terminal.complain(sentence)
    before = reading(earlier.labels, book, level, options.question) if earlier else None
    rose = changes(before, read) if before is not None else None
    table = matrix(read, places_known(read, options.traces), AXES[options.by])
    if options.json:
        groups = ((group.name, group.outputs) for group in failures.groups)
        found = reading_json(read, failures.rates, groups) | {"where": matrix_json(options.by, table)}
        terminal.say_json(found | ({"changes": changes_json(rose)} if rose is not None else {}))
    elif read.outputs:
        _print(failures, level, table, options.by, terminal)
        if before is not None and rose is not None:
            _print_changes(before, read, rose, terminal)
    if not read.outputs:
        terminal.complain(_nothing(options))
        return NOTHING_LABELLED
    return 1 if odd else 0


def _labels(files: Sequence[Path]) -> LabelFiles:
    if files:
        return read_label_files(files)
    from trace_inspector.flows.review.stored_labels import kept

    return LabelFiles(tuple(kept()))


def _codebook(options: argparse.Namespace, terminal: Terminal) -> Codebook:
    path = options.codebook
    if path is None:
        path = codebook_beside(options.files) if options.files else own_codebook()
    if path is None:
        return Codebook()
    loaded = load_codebook(path)
    if options.codebook is not None and loaded.text is None:
        raise UsageError("There is no such codebook. Check the spelling.", path=str(path))
    for note in loaded.notes:
        terminal.complain(f"{path}: {note}")
    return loaded.book


def _odd(read: LabelFiles) -> Iterator[str]:
    for path, finding in read.findings:
        yield f"{f'{path}:{finding.line}' if finding.line else path}: {finding.message}"


def _nothing(options: argparse.Namespace) -> str:
    asked = f" that answers “{one_line(options.question, 80)}”" if options.question else ""
    return (
        f"There is no labelled {options.level}{asked}. Draw a queue with “labels sample” and answer it, or review "
        "turns in the window."
    )


def _print(failures: Failures, level: Level, table: Matrix, axis: str, terminal: Terminal) -> None:
    read = failures.read
    terminal.say(words.summary(read, level))
    terminal.say(words.saturation(read))
    if failures.rates:
        terminal.say()
        _say_table(
            ("mode", "count", "share", "95 % interval", "first example"), map(_mode_row, failures.rates), terminal
        )
    if table.rows:
        terminal.say()
        terminal.say(f"Where it first went wrong, by {axis}:")
        columns = table.columns[:_MOST_COLUMNS]
        rows = [(name, *(str(len(cell) or "") for cell in cells[:_MOST_COLUMNS])) for name, cells in table.rows]
        _say_table(("mode", *(column or words.NOT_KNOWN for column in columns)), rows, terminal)
        if len(table.columns) > len(columns):
            terminal.say(f"{len(table.columns) - len(columns):,} more places are left out; --json has them all")
    if failures.groups:
        terminal.say()
        terminal.say("Notes without a mode that are alike:")
        for group in failures.groups:
            terminal.say(f"  {group.name}: {words.counted_words(len(group.outputs), 'failure')}")
            for output in group.outputs[:_MOST_NOTES]:
                terminal.say(f"    {words.place(output)}: {one_line(' / '.join(output.notes), _NOTE_CHARS)}")


def _mode_row(rate: ModeRate) -> tuple[str, ...]:
    outputs, share = rate.counted.outputs, rate.share
    return (
        rate.counted.mode.name,
        f"{rate.counted.count:,}",
        percent(share.value),
        words.interval(share) or share.reason,
        words.place(outputs[0]) if outputs else "",
    )


def _print_changes(before: Reading, after: Reading, rose: Sequence[ModeChange], terminal: Terminal) -> None:
    terminal.say()
    terminal.say(f"Against the baseline ({len(before.outputs):,} then, {len(after.outputs):,} now), in points:")
    rows = [
        (
            change.name,
            percent(change.before.share.value),
            percent(change.after.share.value),
            words.points(change.difference),
            words.points_interval(change.difference),
            words.verdict(change),
        )
        for change in rose
    ]
    _say_table(("mode", "then", "now", "difference", "95 % interval", ""), rows, terminal)


def _say_table(heads: Sequence[str], rows: Iterable[Sequence[str]], terminal: Terminal) -> None:
    """The first column stays where the table is wider than the terminal."""
    lines = [heads, *rows]
    columns = [
        [
            Cell(one_line(line[place], _NAME_CHARS), Colour.PLAIN if number else Colour.QUIET)
            for number, line in enumerate(lines)
        ]
        for place in range(len(heads))
    ]
    print_columns(columns[:1], columns[1:], terminal)
