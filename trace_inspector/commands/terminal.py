"""What commands say: results on standard output, one-sentence errors on standard error."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TextIO

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.values import Json


def visible(text: str) -> str:
    """Text with control characters escaped, so that nothing from a trace can command a terminal."""
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode() for char in text
    )


@dataclass(slots=True)
class Terminal:
    """Where a command writes. Tests and scripts may give their own streams."""

    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)

    def say(self, text: str = "") -> None:
        """A line of the result."""
        self._write(self.out, visible(text) + "\n")

    def say_json(self, value: Json) -> None:
        """A result for programs: strict JSON, so a NaN or an infinity here is a mistake of ours."""
        self._write(self.out, json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2) + "\n")

    def complain(self, problem: str | InspectorError) -> None:
        """One sentence about what went wrong."""
        self._write(self.err, f"trace-inspector: {visible(str(problem))}\n")

    @staticmethod
    def _write(stream: TextIO, text: str) -> None:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
