"""What the command line takes, read from its parsers: each command with its options, their values and help."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.cli import parsers


class Option(Struct, frozen=True):
    """One option. `value` is what stands behind it in help, "" for a switch; `choices` where there are few."""

    flags: tuple[str, ...]
    value: str = ""
    choices: tuple[str, ...] = ()
    help: str = ""


class Command(Struct, frozen=True):
    """A command, or one of its actions: `name` has both words then. The window has no name."""

    name: str
    help: str
    usage: str
    description: str
    takes: tuple[Option, ...]  # what is no option, in order
    options: tuple[Option, ...]


def commands() -> Iterator[Command]:
    """The window first, then the commands in the order of help, with their actions."""
    for name, summary, parser in parsers():
        yield from _of(name, summary, parser)


def _of(name: str, summary: str, parser: argparse.ArgumentParser) -> Iterator[Command]:
    actions = [action for action in parser._actions if not isinstance(action, argparse._SubParsersAction)]
    takes = tuple(_option(action) for action in actions if not action.option_strings)
    options = tuple(_option(action) for action in actions if action.option_strings)
    usage = " ".join(parser.format_usage().split()).removeprefix("usage: ")
    yield Command(name, summary, usage, " ".join((parser.description or "").split()), takes, options)
    for nested in parser._actions:
        if isinstance(nested, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in nested._choices_actions}
            for word, child in nested.choices.items():
                yield from _of(f"{name} {word}", summaries.get(word, ""), child)


def _option(action: argparse.Action) -> Option:
    value = "" if action.nargs == 0 else _value(action)
    choices = tuple(map(str, action.choices)) if action.choices else ()
    words = " ".join((action.help or "").split()).replace("%%", "%")
    return Option(tuple(action.option_strings), value, choices, words)


def _value(action: argparse.Action) -> str:
    named = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    return named if isinstance(named, str) else " ".join(named)
