"""The man page: what every command does and takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shell.commands import Command, Option

EXIT_CODES = (
    ("0", "Good: everything passed, nothing differs, the file was read."),
    ("1", "Not good: something failed, differs, or has findings of severity error."),
    ("2", "Could not run: a wrong option, a file that cannot be read."),
    ("3", "Nothing decided: no criterion could be scored, nothing to compare."),
    ("130", "Stopped by Ctrl+C; what was done is kept."),
)
VARIABLES = (
    ("TRACE_INSPECTOR_DATA", "The folder for runs, labels, edits that are not saved yet and settings."),
    ("GOOGLE_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL", "Keys and endpoint of judges; no file can set them."),
)


def man_page(commands: Iterable[Command]) -> str:
    """The whole page in the language of man."""
    window, *others = commands
    lines = [
        ".TH TRACE\\-INSPECTOR 1",
        ".SH NAME",
        "trace\\-inspector \\- see what an agent did, score every turn, curate golden expectations",
        ".SH SYNOPSIS",
        *_usage(window.usage),
        *(line for command in others for line in _usage(command.usage)),
        ".SH DESCRIPTION",
        _text(window.description),
        *_options(window),
        ".SH COMMANDS",
    ]
    for command in others:
        lines += [".SS " + _text(command.name), _text(command.description or command.help), *_options(command)]
    lines += [".SH EXIT STATUS", *_described(EXIT_CODES), ".SH ENVIRONMENT", *_described(VARIABLES)]
    return "\n".join(lines) + "\n"


def _usage(words: str) -> Iterator[str]:
    yield ".PP"
    yield _text(words)


def _options(command: Command) -> Iterator[str]:
    for option in (*command.takes, *command.options):
        yield ".TP"
        yield ".B " + _text(_heading(option))
        yield _text(option.help) or "\\&"


def _heading(option: Option) -> str:
    value = option.value or ("{" + ",".join(option.choices) + "}" if option.choices else "")
    return " ".join(filter(None, (", ".join(option.flags), value)))


def _described(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, words in rows:
        yield from (".TP", ".B " + _text(name), _text(words))


def _text(words: str) -> str:
    """Words as man takes them: nothing in them is a command of its own."""
    escaped = words.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped
