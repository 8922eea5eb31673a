"""What commands say: results on standard output, one-sentence errors on standard error."""

from __future__ import annotations

import contextlib
import enum
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TextIO

from trace_inspector.core.errors import InspectorError, SaveError
from trace_inspector.core.values.values import Json


def visible(text: str) -> str:
    """Text with control characters and line ends escaped: a trace commands no terminal and forges no line."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


class Colour(enum.Enum):
    """What a word means, as a terminal's own palette shows it."""

    PLAIN = ""
    GOOD = "32"
    BAD = "1;31"
    WARNING = "33"
    QUIET = "2"


@dataclass(slots=True)
class Terminal:
    """Where a command writes. Tests and scripts may give their own streams; a stream that is closed takes nothing."""

    out: TextIO = field(default_factory=lambda: sys.stdout or io.StringIO())
    err: TextIO = field(default_factory=lambda: sys.stderr or io.StringIO())

    def say(self, text: str = "") -> None:
        """A line of the result."""
        self._result(visible(text) + "\n")

    def say_coloured(self, pieces: Iterable[tuple[str, Colour]]) -> None:
        """A line of the result in pieces, each with its colour where a person looks and wants colours."""
        paint = self._painted if self._colours() else _bare
        self._result("".join(paint(visible(text), colour) for text, colour in pieces).rstrip() + "\n")

    def say_lines(self, text: str) -> None:
        """Text of ours with line ends of its own."""
        for line in text.splitlines():
            self.say(line)

    def say_json(self, value: Json) -> None:
        """A result for programs: strict JSON, so a NaN or an infinity here is a mistake of ours."""
        self._result(json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2) + "\n")

    def complain(self, problem: str | InspectorError) -> None:
        """One sentence about what went wrong."""
        # Where even this cannot be written, the exit code alone has to say it.
        with contextlib.suppress(OSError):
            self._write(self.err, f"trace-inspector: {visible(str(problem))}\n")

    def finish(self) -> None:
        """Let everything that was said reach its reader."""
        with _sentence_for_a_full_disk():
            self.out.flush()

    def _colours(self) -> bool:
        environment = os.environ
        if not self.out.isatty() or environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
            return False
        # Older consoles of Windows would print the codes.
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
