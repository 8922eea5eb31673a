"""Ask SQL of a folder of results that “evaluate --results” wrote: one SELECT over its tables, and nothing else."""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

from trace_inspector.commands.output.columns import Cell, print_columns
from trace_inspector.commands.output.terminal import Colour, Terminal
from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json
from trace_inspector.documents.results.session import Answer, ResultsSession
from trace_inspector.documents.results.tables import TABLES
from trace_inspector.flows.results.answers import KINDS, cell_text, pieces_of, save_answer
from trace_inspector.flows.results.questions import QUESTIONS, sql_of

MOST_SHOWN = 200
_CELL_CHARS = 60


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="the folder of results")
    add("query", nargs="?", metavar="QUERY", help="one SELECT, or the name of a ready-made question")
    add("--list", action="store_true", help="list the ready-made questions, and the tables with their columns")
    add("--to", choices=KINDS, help="print or write all rows in this form instead of a table")
    add("-o", "--output", type=Path, metavar="FILE", help="write the answer into this file")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Ask, and print or write the answer."""
    if options.list == bool(options.query):
        raise UsageError("Give either a query or --list.")
    if options.output and not options.to:
        raise UsageError(f"Say with --to what the file is to be: {', '.join(KINDS)}.")
    if options.to == "parquet" and not options.output:
        raise UsageError("Parquet is not for a terminal; name a file with -o.")
    if options.list:
        _list(terminal)
        return 0
    with ResultsSession(options.folder) as session:
        if not session.manifest.complete:
            terminal.complain("These results are not complete: the run was stopped, or is still being written.")
        sql = sql_of(options.query)
        if options.output:
            save_answer(session, options.folder, sql, options.to, options.output)
        elif options.to:
            for piece in pieces_of(session.ask(sql), options.to):
                terminal.say_raw(piece)
        else:
            _print(session.ask(sql, MOST_SHOWN), terminal)
    return 0


def _list(terminal: Terminal) -> None:
    terminal.say("Ready-made questions:")
    for question in QUESTIONS:
        terminal.say(f"  {question.name}: {question.title}")
    terminal.say("Tables:")
    for table in TABLES:
        terminal.say(f"  {table.name}: {table.row}")
        terminal.say(f"    {', '.join(table.columns)}")


def _print(answer: Answer, terminal: Terminal) -> None:
    """The first rows as a table. The rest is counted, and one that was wide goes below."""
    rows = answer.rows()
    shown = list(islice(rows, MOST_SHOWN))
    for _row in rows:  # none is sent any more; the last reply says how many there are
        pass
    columns = [
        [Cell(one_line(name, _CELL_CHARS), Colour.QUIET), *(_cell(row[index]) for row in shown)]
        for index, (name, _kind) in enumerate(answer.columns)
    ]
    print_columns([], columns, terminal)
    total = f"{answer.total:,} {'row' if answer.total == 1 else 'rows'}"
    if answer.total > len(shown):
        terminal.say(f"{len(shown):,} of {total}; --to csv or --to json gives all of them.")
    else:
        terminal.say(f"{total}.")


def _cell(value: Json) -> Cell:
    if value is None:
        return Cell("–", Colour.QUIET)
    return Cell(one_line(f"{value:.6g}" if isinstance(value, float) else cell_text(value), _CELL_CHARS))
