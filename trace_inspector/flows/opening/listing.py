"""The files that paths stand for: the files named, and those in the folders and archives named."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import warning
from trace_inspector.documents.bundles.folders import files_in, is_folder

MOST_FILES = 10_000


SKIPPED = warning(
    "not-a-file", "This is not a regular file, so it was skipped. Copy its output into a file and open that."
)


def expand(paths: Iterable[Path], skipped: list[Path] | None = None) -> list[Path]:
    """Files as named, and for folders and archives the possible documents inside, in order.

    A folder without any stands for itself, so that opening it gives the error. Pipes, devices and the like with the
    name of a document are added to `skipped`.
    """
    files: list[Path] = []
    for path in paths:
        inside = list(islice(files_in(path, skipped), MOST_FILES + 1)) if is_folder(path) else []
        files.extend(inside or [path])
        if len(files) > MOST_FILES:
            sentence = f"There are more than {MOST_FILES:,} files here. Name a smaller folder or single files."
            raise ReadError(sentence, path=str(path))
    return files
