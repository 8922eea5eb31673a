"""Change values of a JSON, JSON Lines or YAML file; every other byte stays as it is.

POINTER is a JSON Pointer such as /eval_cases/0/eval_id; "" is the whole document; in a JSON Lines file the first part
is the number of the line, from 0. JSON is written exactly as given. The first "=" with JSON after it ends the
pointer, so keys may contain "=". A pointer may lead into a string that contains JSON; the string keeps its escapes.
Edits are made in the order in which they are given, and the changed lines are printed.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import UsageError
from trace_inspector.core.values.edit import Edit, Insert, Remove, Set

_MAX_SHOWN = 1000
_AROUND = 60  # characters before and after a change in a long line


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to change")
    for option, (metavar, meaning) in _OPTIONS.items():
        parser.add_argument(
            option, dest="edits", action="append", type=partial(_edit, option), metavar=metavar, help=meaning
        )
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, help="write the result here, and leave FILE as it is"
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Make the edits and print the changed lines."""
    from trace_inspector.flows.goldens.edit_file import edit_file

    if not options.edits:
        raise UsageError("No change is given. Give at least one --set, --insert or --remove.")
    report = edit_file(options.file, options.edits, options.output)
    for line in report.lines:
        old, new = _bounded(line.old, line.new)
        for mark, text in (("-", old), ("+", new)):
            if text is not None:
                terminal.say(f"{line.number}: {mark} {text}")
    for note in report.notes:
        terminal.complain(note)
    return 0


_OPTIONS = {
    "--set": ("POINTER=JSON", "replace the value at POINTER by JSON"),
    "--insert": (
        "POINTER=JSON",
        (
            "add a key to an object, or an element to an array before the index at the end of POINTER (“-”: at the "
            "end)"
        ),
    ),
    "--remove": ("POINTER", "remove the key or array element at POINTER"),
}


def _edit(option: str, argument: str) -> Edit:
    if option == "--remove":
        _check_pointer(option, argument)
        return Remove(argument)
    pointer, text = _split(option, argument)
    return Set(pointer, text) if option == "--set" else Insert(pointer, text)


def _split(option: str, argument: str) -> tuple[str, str]:
    """Split pointer and JSON at the first “=” followed by JSON; else at the first one, for the error message."""
    from trace_inspector.documents.json.json_text import is_json

    places = [index for index, char in enumerate(argument) if char == "="]
    if not places:
        raise UsageError(f"{option} needs POINTER=JSON, but “{argument}” has no “=”.")
    index = next((index for index in places if is_json(argument[index + 1 :])), places[0])
    _check_pointer(option, argument[:index])
    return argument[:index], argument[index + 1 :]


def _check_pointer(option: str, pointer: str) -> None:
    if pointer and not pointer.startswith("/"):
        raise UsageError(f"{option} needs a JSON Pointer, which is empty or begins with “/”; “{pointer}” does not.")


def _bounded(old: str | None, new: str | None) -> tuple[str | None, str | None]:
    """A line before and after; of a long line, the change and some characters around it."""
    if max(len(old or ""), len(new or "")) <= _MAX_SHOWN:
        return old, new
    from trace_inspector.documents.text.patch import shared_start

    here, there = old or "", new or ""
    start = shared_start(here, there)
    rest = shared_start(here[start:][::-1], there[start:][::-1])
    return (
        None if old is None else _around(old, start, len(old) - rest),
        None if new is None else _around(new, start, len(new) - rest),
    )


def _around(text: str, start: int, end: int) -> str:
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    shown = text[first:last]
    if len(shown) > _MAX_SHOWN:
        shown = f"{shown[: _MAX_SHOWN // 2]} … {shown[-_MAX_SHOWN // 2 :]}"
    count = min(last - first, _MAX_SHOWN)
    before, after = "… " if first else "", " …" if last < len(text) else ""
    return f"{before}{shown}{after} ({count} of {len(text)} characters, from character {first + 1})"
