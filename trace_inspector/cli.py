"""The command line: one word and its arguments, or files to open in the window.

Importing this module stays cheap: no Qt, no parser library, no command. Each is imported when it is called.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, NoReturn

from trace_inspector.commands import COMMANDS, Command, CommandModule
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import InspectorError, SaveError, UsageError
from trace_inspector.documents.text.garbage_collection import gc_less_often, gc_paused
from trace_inspector.engine.running import interrupts
from trace_inspector.version import __version__

CANNOT_RUN = 2

_MESSAGE_CHARS = 500


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; can be called any number of times in one process."""
    terminal = Terminal()
    status = _answer(list(sys.argv[1:] if argv is None else argv), terminal)
    try:
        terminal.finish()
    except BrokenPipeError:
        _stop_writing()
    except SaveError as problem:
        _stop_writing()
        if status != CANNOT_RUN:
            terminal.complain(problem)
        return CANNOT_RUN
    return status


def _answer(arguments: Sequence[str], terminal: Terminal) -> int:
    command = next((row for row in COMMANDS if arguments[:1] == [row.name]), None)
    try:
        return _run_command(command, arguments[1:], terminal) if command else _open_window(arguments, terminal)
    except InspectorError as problem:
        terminal.complain(problem)
        return CANNOT_RUN
    except KeyboardInterrupt:
        terminal.complain("Stopped.")
        return interrupts.exit_code()
    except BrokenPipeError:
        _stop_writing()
        return 0
    except SystemExit as leaving:  # --help and --version
        return leaving.code if isinstance(leaving.code, int) else CANNOT_RUN
    except MemoryError:
        terminal.complain("There is not enough memory for this. Try fewer or smaller files.")
        return CANNOT_RUN
    except (
        Exception
    ) as problem:  # a mistake of ours: a sentence and a report, never a traceback over somebody's terminal
        terminal.complain(_broken(problem))
        return CANNOT_RUN


class _Parser(argparse.ArgumentParser):
    """Arguments read as everything here is said: one sentence for a mistake, help in what the terminal can show."""

    def __init__(
        self,
        terminal: Terminal,
        *,
        prog: str,
        description: str | None,
        epilog: str | None = None,
        formatter_class: type[argparse.HelpFormatter] = argparse.HelpFormatter,
    ) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=formatter_class,
            allow_abbrev=False,
        )
        self._terminal = terminal

    def add_subparsers(self, **given: Any) -> Any:
        """Commands of a command, read in the same way."""
        given["parser_class"] = partial(_Parser, self._terminal)
        return super().add_subparsers(**given)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:_MESSAGE_CHARS]}. “{self.prog} --help” explains the options.")

    def _print_message(self, message: str, *_file: object) -> None:
        # argparse writes help and version through here, and would end with an encoding error in a plain terminal.
        self._terminal.say_lines(message)


def _stop_writing() -> None:
    # The reader of our output left. Python would complain once more while closing standard output.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _broken(problem: Exception) -> str:
    from trace_inspector import crash
    from trace_inspector.settings import ready_data_folder

    sentence = f"Trace Inspector failed because of a mistake of its own ({type(problem).__name__})."
    try:
        file = crash.keep(problem, ready_data_folder())
    except OSError as unwritable:
        return f"{sentence} No report could be written ({unwritable.strerror})."
    return f"{sentence} {file} describes it, without any text of your files."


def parsers() -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Each command with its help and its parser, the window without a name first: for man page and completions."""
    terminal = Terminal()
    yield "", "", _window_parser(terminal)
    for command in COMMANDS:
        yield command.name, command.help, _command_parser(command, command.load(), terminal)


def _command_parser(command: Command, module: CommandModule, terminal: Terminal) -> _Parser:
    parser = _Parser(terminal, prog=f"trace-inspector {command.name}", description=module.__doc__)
    module.arguments(parser)
    _plugin_arguments(parser)
    return parser


def _plugin_arguments(parser: argparse.ArgumentParser) -> None:
    """What every command has, and the window."""
    group = parser.add_argument_group("plugins")
    group.add_argument("--no-plugins", action="store_true", help="use nothing that other distributions add")
    group.add_argument(
        "--without-plugin",
        action="append",
        default=[],
        metavar="NAME",
        help="leave out one plugin, or all of one distribution; may be repeated (“doctor” lists them)",
    )


def _plugins_of(options: argparse.Namespace) -> AbstractContextManager[None]:
    """The plugins and commands that a command line names, for as long as it runs."""
    commands = getattr(options, "metric_command", ())
    if not (options.no_plugins or options.without_plugin or commands):
        return nullcontext()
    from trace_inspector.plugins import EVERYTHING, chosen

    return chosen([*options.without_plugin, *([EVERYTHING] if options.no_plugins else [])], dict(commands))


def _run_command(command: Command, arguments: Sequence[str], terminal: Terminal) -> int:
    with gc_paused():  # nothing that is imported here is let go again
        module = command.load()
    options = _command_parser(command, module, terminal).parse_args(arguments)
    with interrupts.interrupts_raised(), gc_less_often(), _plugins_of(options):
        return module.run(options, terminal)


def _open_window(arguments: Sequence[str], terminal: Terminal) -> int:
    options = _window_parser(terminal).parse_args(arguments)
    with _plugins_of(options):
        return _run_window(options, terminal)


def _run_window(options: argparse.Namespace, terminal: Terminal) -> int:
    problem = _window_problem()
    if problem and options.samples:
        from trace_inspector.commands.window import samples

        with interrupts.interrupts_raised():
            return samples.run(terminal)
    if problem:
        terminal.complain(
            f"{problem}, or use one of the commands: {', '.join(command.name for command in COMMANDS)}."
        )
        return CANNOT_RUN
    from trace_inspector.work.processes.fork_server import make_ready

    make_ready()  # it imports on another processor, while this one makes the window
    # Until the window answers Ctrl+C, that ends the program: an exception that rises inside of Qt is swallowed there.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return _window_opener()(options.files, samples=options.samples, goldens=options.golden)
    finally:
        signal.signal(signal.SIGINT, before)


def _window_problem() -> str:
    """Why no window can be opened, and what to do about it; "" when one can. Qt would end the whole program."""
    from trace_inspector.commands.window import display

    if not display.has_display():
        return "There is no display to open a window on. Set DISPLAY or WAYLAND_DISPLAY"
    problem = display.window_problem()
    if not problem:
        return ""
    named = " ".join(f"{name}={value}" for name, value in display.named_displays().items())
    where = f" on {named[:_MESSAGE_CHARS]}" if named else ""
    return f"The window cannot be opened{where}: {problem[:_MESSAGE_CHARS]}. See what “trace-inspector doctor” says"


def _window_opener() -> Callable[..., int]:
    try:
        with gc_paused():
            import trace_inspector.views.shell.before_qt  # noqa: F401
            from trace_inspector.views.shell.application import open_window
    except ImportError as problem:  # a system library that Qt needs, most often libEGL
        raise UsageError(
            f"The window cannot start ({problem}). “trace-inspector doctor” says which library is missing."
        ) from problem
    return open_window


def _window_parser(terminal: Terminal) -> argparse.ArgumentParser:
    commands = "\n".join(f"  {command.name:<12} {command.help}" for command in COMMANDS)
    parser = _Parser(
        terminal,
        prog="trace-inspector",
        description="Open agent traces and eval sets in a window, or run a command in the terminal.",
        epilog=f"commands:\n{commands}\n\n“trace-inspector COMMAND --help” explains one command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE[#/POINTER]", help="files or folders to open")
    parser.add_argument(
        "--golden",
        action="append",
        default=[],
        metavar="FILE",
        help="goldens to evaluate the files with at once; can be repeated",
    )
    parser.add_argument(
        "--samples", action="store_true", help="open the sample workspace; without a display, print its verdicts"
    )
    _plugin_arguments(parser)
    parser.add_argument("--version", action="version", version=f"trace-inspector {__version__}")
    return parser
