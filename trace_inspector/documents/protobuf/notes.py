"""What is odd about the bytes of a protobuf file, as findings that name bytes: there are no lines."""

from __future__ import annotations

from collections import Counter

from trace_inspector.core.finding import Finding, error, info, warning
from trace_inspector.documents.protobuf.schema import FieldType, MessageType
from trace_inspector.documents.protobuf.wire import Broken

_MOST = 50


class Notes:
    """Collects findings about one file, a bounded number of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._findings: list[Finding] = []
        self._once: dict[str, Finding] = {}
        self._unknown: Counter[tuple[str, int]] = Counter()
        self._hidden = 0

    def cut(self, stop: int) -> None:
        """A length leads behind the end of the file."""
        message = (
            f"The file ends at byte {self._size}, inside a message that goes on to byte {stop}; the complete "
            "messages before it are shown. Get the complete file."
        )
        self._once.setdefault("truncated", error("truncated", message))

    def broken(self, field: FieldType, problem: Broken) -> None:
        """Something that is read whole or not at all is damaged."""
        what = field.message_type.name if field.message_type else "a text"
        self._add(error("damaged-message", f"At byte {problem.offset} of {what}, {problem.why}; it is left out."))

    def broken_off(self, message_type: MessageType, problem: Broken) -> None:
        """What holds others cannot be followed any further."""
        message = f"At byte {problem.offset}, {problem.why}: what follows of {message_type.name} is left out."
        self._add(error("damaged-message", message))

    def too_deep(self, offset: int) -> None:
        """A value is nested deeper than protobuf allows."""
        message = (
            "Values nested deeper than protobuf reads are not shown and count as null; "
            f"the first is at byte {offset}."
        )
        self._once.setdefault("too-deep", error("too-deep", message))

    def not_text(self, offset: int) -> None:
        """A text is not UTF-8."""
        message = f"Bytes of texts are not UTF-8; they are kept as they are. The first is byte {offset}."
        self._once.setdefault("invalid-utf-8", error("invalid-utf-8", message))

    def too_much(self) -> None:
        """There are more messages than are read."""
        message = "The file contains far more values than its size suggests; the rest is not read. Split the file."
        self._once.setdefault("too-much", error("too-much", message))

    def other_signal(self, offset: int) -> None:
        """A message holds neither spans nor log records."""
        message = f"The message at byte {offset} holds neither spans nor log records; it is not shown."
        self._add(info("other-signal", message))

    def unknown(self, message_type: MessageType, tag: int) -> None:
        """OTLP has no such field."""
        key = (message_type.name, tag >> 3)
        if key in self._unknown or len(self._unknown) < _MOST:
            self._unknown[key] += 1

    def findings(self) -> tuple[Finding, ...]:
        """Everything, each kind a bounded number of times."""
        unknown = [
            info("unknown-field", f"OTLP knows no field {number} of {name}; it is not shown ({count} times).")
            for (name, number), count in self._unknown.items()
        ]
        more = [warning("more-findings", f"{self._hidden} more places are damaged.")] if self._hidden else []
        return (*self._once.values(), *self._findings, *more, *unknown)

    def _add(self, finding: Finding) -> None:
        if len(self._findings) < _MOST:
            self._findings.append(finding)
        else:
            self._hidden += 1
