"""Convert files from one format to another, and report what the target cannot hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, ReadError, UsageError
from trace_inspector.core.finding import Finding, Severity, error
from trace_inspector.core.rows.contents import SEVERAL, Contents
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.bundles.candidates import SIDE_SUFFIX
from trace_inspector.documents.packing.packing import packed
from trace_inspector.documents.reading.reading import read
from trace_inspector.documents.saving.saving import save
from trace_inspector.flows.opening.exact_numbers import spelled_value
from trace_inspector.flows.opening.open_file import Opened, open_file
from trace_inspector.formats import all_formats, format_named
from trace_inspector.formats.common.format import Format
from trace_inspector.formats.common.unread_formats import not_read
from trace_inspector.formats.extension.key import KEY, carried
from trace_inspector.formats.extension.key_locations import File
from trace_inspector.formats.writing.conversion_losses import written_with_losses
from trace_inspector.formats.writing.reserved_key_conversion import converted, unread


def side_path(path: Path) -> Path:
    """The path of the side file of a file."""
    return path.with_name(path.name + SIDE_SUFFIX)


def read_side(path: Path) -> tuple[JsonObject | None, bytes | None]:
    """The contents of a side file and its bytes; None where there is none of ours."""
    try:
        document = read(side_path(path))
    except InspectorError:
        return None, None
    value = spelled_value(document)
    if isinstance(value, dict) and carried({KEY: value}) is not None:
        return value, document.data
    return None, None


def drop_side(path: Path) -> None:
    """Remove the side file of an overwritten file; one that is not ours stays."""
    if read_side(path)[1] is not None:
        with suppress(OSError):
            side_path(path).unlink()


class Converted(Struct, frozen=True):
    """The bytes of the new file and of its side file, if any, and the losses."""

    data: bytes
    losses: tuple[Finding, ...] = ()
    side: bytes | None = None
    layouts: Mapping[str, Callable[[Json], str]] = field(default_factory=dict)  # others, by the suffix of the file

    @property
    def gone(self) -> tuple[Finding, ...]:
        """What nothing in the new file brings back."""
        return tuple(loss for loss in self.losses if loss.severity is Severity.ERROR)


def convert_files(paths: Sequence[Path], format_name: str) -> Converted:
    """Convert files to another format. A single file that has the format already keeps its bytes."""
    target = _format(format_name)
    opened = [open_file(path) for path in paths]
    if len(opened) == 1 and opened[0].contents.format == target.name:
        if opened[0].document.container is Container.BUNDLE:
            sentence = "This bundle of files can only be read. Copy it, or name one of its files."
            raise UsageError(sentence, path=str(paths[0]))
        return Converted(packed(opened[0].document.data, opened[0].document.packing), side=read_side(paths[0])[1])
    if not target.writes:
        raise UsageError(
            f"“{target.name}” can be read but not written; formats that can be written: {_named(_writable())}."
        )
    for each in opened:
        if not each.contents.format:
            raise ReadError(not_read(each.document.value), path=str(each.document.path))
    try:
        made = _single(opened[0], target) if _is_one(opened) else _several(opened, target)
        return replace(made, losses=(*made.losses, *_passed_over(opened)), layouts=target.layouts)
    except RecursionError as problem:
        sentence = "This file is nested more deeply than can be written. Remove its deepest part."
        raise ReadError(sentence, path=str(paths[0])) from problem


# Findings by which a value lacks something that the bytes have.
_PASSED_OVER = frozenset(
    {"csv-rows", "duplicate-key", "missing-key", "too-deep", "unreadable-rest", "yaml-syntax"},
)


def _passed_over(opened: Sequence[Opened]) -> Iterator[Finding]:
    """A finding for each file of which a part was not read, so that the new file lacks it."""
    for each in opened:
        first = next((finding for finding in each.document.findings if finding.code in _PASSED_OVER), None)
        if first is not None:
            message = (
                f"Part of {each.document.path.name} could not be read (“{first.code}”); “trace-inspector validate” "
                "shows where."
            )
            yield error("unread-lost", message, first.pointer)


def save_converted(made: Converted, path: Path) -> tuple[str, ...]:
    """Write the new file, whole or not at all, and its side file; an old side file is removed.

    Returns remarks of the save.
    """
    notes: list[str] = []
    layout = made.layouts.get(path.suffix.lower())
    data = made.data if layout is None else layout(parse_exactly(made.data)).encode("utf-8")
    save(Document(path, data, Container.JSON, None), note=notes.append)
    if made.side is not None:
        save(Document(side_path(path), made.side, Container.JSON, None))
    else:
        drop_side(path)
    return tuple(notes)


def _single(opened: Opened, target: Format) -> Converted:
    document = opened.document
    file = File(spelled_value(document), read_side(document.path)[0])
    made = converted(file, document.path.name, _format(opened.contents.format), target)
    return Converted(made.text.encode("utf-8"), made.losses, made.side.encode("utf-8") if made.side else None)


def _is_one(opened: Sequence[Opened]) -> bool:
    """Whether all is one document: leftovers can only be restored into one."""
    first = opened[0]
    return len(opened) == 1 and bool(_format(first.contents.format).recognise(first.document.value))


def _several(opened: Sequence[Opened], target: Format) -> Converted:
    written = written_with_losses(target, _together(opened))
    losses = chain.from_iterable(unread(each.contents) for each in opened)
    return Converted(written.text.encode("utf-8"), (*written.losses, *losses))


def _format(name: str) -> Format:
    file_format = format_named(name)
    if file_format is not None:
        return file_format
    raise UsageError(f"There is no format “{name}”; formats that can be written: {_named(_writable())}.")


def _writable() -> list[Format]:
    return [file_format for file_format in all_formats() if file_format.writes]


def _named(formats: Sequence[Format]) -> str:
    return ", ".join(file_format.name for file_format in formats)


def _together(opened: Sequence[Opened]) -> Contents:
    """The contents of several files as those of one."""
    first = replace(opened[0].contents, format=SEVERAL)
    for each in opened[1:]:
        more = each.contents
        first = replace(
            first,
            suites=first.suites + more.suites,
            traces=(*first.traces, *more.traces),
            criteria=first.criteria or more.criteria,
            reported=first.reported + more.reported,
        )
    return first
