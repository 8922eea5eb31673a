"""The side file of a file whose format has no room for our key: what was converted goes along beside it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.bundles.candidates import SIDE_SUFFIX
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.opening.exact_numbers import spelled_value
from trace_inspector.formats.extension.key import KEY, carried


def side_path(path: Path) -> Path:
    """Where the side file of a file lies."""
    return path.with_name(path.name + SIDE_SUFFIX)


def read_side(path: Path) -> tuple[JsonObject | None, bytes | None]:
    """What the side file of a file says, and its bytes; nothing where there is none that is ours."""
    try:
        document = read(side_path(path))
    except InspectorError:
        return None, None
    value = spelled_value(document)
    if isinstance(value, dict) and carried({KEY: value}) is not None:
        return value, document.data
    return None, None


def drop_side(path: Path) -> None:
    """Take away a side file that belonged to what lay there before; one that is not ours stays."""
    if read_side(path)[1] is not None:
        with suppress(OSError):
            side_path(path).unlink()
