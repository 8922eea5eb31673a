"""The output of commands: results on standard output, one-sentence errors on standard error."""

from __future__ import annotations

import contextlib
import enum
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TextIO

from msgspec import DecodeError, Struct, field
from msgspec.json import format as json_format

from trace_inspector.core.errors import InspectorError, SaveError
from trace_inspector.core.values.values import Json


def visible(text: str) -> str:
    """Text with control characters and line ends escaped: no trace can control the terminal or forge lines."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


class Colour(enum.Enum):
    """The meaning of a word, as a colour of the terminal's palette."""

    PLAIN = ""
    GOOD = "32"
    BAD = "1;31"
    WARNING = "33"
    QUIET = "2"


class Terminal(Struct):
    """The output streams of a command. Tests and scripts may pass their own; a closed stream is ignored."""

    out: TextIO = field(default_factory=lambda: sys.stdout or io.StringIO())
    err: TextIO = field(default_factory=lambda: sys.stderr or io.StringIO())

    def say(self, text: str = "") -> None:
        """Print a line of the result."""
        self._result(visible(text) + "\n")

    def say_coloured(self, pieces: Iterable[tuple[str, Colour]]) -> None:
        """Print a line of the result in pieces, coloured in a terminal where colours are wanted."""
        paint = self._painted if self._colours() else _bare
        self._result("".join(paint(visible(text), colour) for text, colour in pieces).rstrip() + "\n")

    def say_lines(self, text: str) -> None:
        """Print text of the program, with its line ends."""
        for line in text.splitlines():
            self.say(line)

    def say_json(self, value: Json) -> None:
        """Print a result as strict JSON; NaN or infinity would be a bug of the program."""
        self._result(_json_text(value) + "\n")

    def say_json_pieces(self, value: Mapping[str, object]) -> None:
        """The same of an object in which lists are iterators: they are printed as they come."""
        for piece in _json_pieces(value, "\n"):
            self._result(piece)
        self._result("\n")

    def say_raw(self, text: str) -> None:
        """Print a piece of a result that another program reads, with its line ends."""
        self._result(text)

    def complain(self, problem: str | InspectorError) -> None:
        """Print one sentence about an error."""
        # Where even this cannot be written, only the exit code is left.
        with contextlib.suppress(OSError):
            self._write(self.err, f"trace-inspector: {visible(str(problem))}\n")

    def finish(self) -> None:
        """Flush all output."""
        with _sentence_for_a_full_disk():
            self.out.flush()

    def _colours(self) -> bool:
        environment = os.environ
        if not self.out.isatty() or environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
            return False
        # Older Windows consoles would print the escape codes.
        return sys.platform != "win32" or bool(environment.get("WT_SESSION") or environment.get("TERM"))

    @staticmethod
    def _painted(text: str, colour: Colour) -> str:
        word = text.rstrip()
        return f"\x1b[{colour.value}m{word}\x1b[0m{text[len(word) :]}" if colour.value and word else text

    def _result(self, text: str) -> None:
        with _sentence_for_a_full_disk():
            self._write(self.out, text)

    @staticmethod
    def _write(stream: TextIO, text: str) -> None:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _json_text(value: object) -> str:
    laid_out = _laid_out(json.dumps(value, ensure_ascii=True, allow_nan=False))
    return laid_out if laid_out is not None else json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2)


def _json_pieces(value: object, line: str) -> Iterator[str]:
    """The JSON of a value, laid out as a whole one would be. `line` begins each line after the first."""
    below = line + "  "
    if isinstance(value, Mapping) and value:
        for number, (key, item) in enumerate(value.items()):
            yield f"{',' if number else '{'}{below}{json.dumps(key)}: "
            yield from _json_pieces(item, below)
        yield line + "}"
    elif isinstance(value, Iterator):
        is_empty = True
        for item in value:
            yield f"{'[' if is_empty else ','}{below}{_json_text(item).replace(chr(10), below)}"
            is_empty = False
        yield "[]" if is_empty else line + "]"
    else:
        yield _json_text(value).replace("\n", line)


def _laid_out(text: str) -> str | None:
    """JSON with an indent of 2, as `json` lays it out, in a tenth of the time; None where it has half a character."""
    try:
        return json_format(text, indent=2)
    except DecodeError:
        return None


def _bare(text: str, _colour: Colour) -> str:
    return text


@contextlib.contextmanager
def _sentence_for_a_full_disk() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise SaveError(f"The output could not be written ({problem.strerror or problem}).") from problem
