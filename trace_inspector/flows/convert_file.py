"""From one format to another: what the target holds is written, what it cannot hold is named first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trace_inspector.core.contents import Contents
from trace_inspector.core.errors import ReadError, UsageError
from trace_inspector.core.finding import Finding, Severity
from trace_inspector.documents.document import Container, Document
from trace_inspector.documents.saving import save
from trace_inspector.flows.open_file import Opened, open_file
from trace_inspector.formats import FORMATS
from trace_inspector.formats.format import Format


@dataclass(frozen=True, slots=True)
class Converted:
    """The bytes of the new file, and what it could not hold."""

    data: bytes
    losses: tuple[Finding, ...] = ()

    @property
    def gone(self) -> tuple[Finding, ...]:
        """Losses for good: nothing in the new file brings them back."""
        return tuple(loss for loss in self.losses if loss.severity is Severity.ERROR)


def convert_files(paths: Sequence[Path], format_name: str) -> Converted:
    """Files in another format. A single file in its own format stays as it is, byte by byte."""
    target = _format(format_name)
    opened = [open_file(path) for path in paths]
    if len(opened) == 1 and opened[0].contents.format == target.name:
        return Converted(opened[0].document.data)
    if target.write is None:
        raise UsageError(f"“{target.name}” is only read here; what can be written is {_named(_writable())}.")
    for each in opened:
        if not each.contents.format:
            sentence = f"This is none of the formats that are read here: {_named(FORMATS)}."
            raise ReadError(sentence, path=str(each.document.path))
    written = target.write(_together(opened))
    return Converted(written.text.encode("utf-8"), written.losses)


def save_converted(converted: Converted, path: Path) -> None:
    """Write the new file, whole or not at all."""
    save(Document(path, converted.data, Container.JSON, None))


def _format(name: str) -> Format:
    for known in FORMATS:
        if known.name == name:
            return known
    raise UsageError(f"There is no format “{name}”; what can be written is {_named(_writable())}.")


def _writable() -> list[Format]:
    return [known for known in FORMATS if known.write is not None]


def _named(formats: Sequence[Format]) -> str:
    return ", ".join(known.name for known in formats)


def _together(opened: Sequence[Opened]) -> Contents:
    """What several files hold, as if one file held it all."""
    first = opened[0].contents
    for each in opened[1:]:
        more = each.contents
        first = replace(
            first,
            format=first.format if first.format == more.format else "several",
            suites=first.suites + more.suites,
            traces=first.traces + more.traces,
            criteria=first.criteria or more.criteria,
            reported=first.reported + more.reported,
        )
    return first
