"""What a results folder says of itself in its manifest, and which of the files that it names lie inside it."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from trace_inspector.core.errors import InspectorError, ReadError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json
from trace_inspector.documents.results import NAME
from trace_inspector.documents.results.tables import TABLES
from trace_inspector.documents.saving.saving import unfinished_name
from trace_inspector.regular_file import read_regular

VERSION: Final = 1
_MOST_BYTES: Final = 1 << 26
_MOST_FILES: Final = 20_000
_SUFFIX: Final = ".parquet"
_MEANING_MORE: Final = "*?[]:\\\0"  # stars and brackets stand for other files, a colon for a drive or an address


class TableFiles(Struct, frozen=True, forbid_unknown_fields=False):
    """The files of one table, relative to the folder, and how many rows they hold together."""

    rows: int = 0
    files: tuple[str, ...] = ()


class Manifest(Struct, frozen=True):
    """The run that a folder holds the results of. Until everything is written it is not `complete`."""

    trace_inspector_results: int
    run: str
    complete: bool = False
    started_s: float = 0.0
    status: str = ""
    rules: str = ""
    criteria_source: str = ""
    criteria: tuple[dict[str, Any], ...] = ()
    configuration: dict[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)  # the SHA-256 by path
    versions: Mapping[str, str] = field(default_factory=dict)
    engine: str = ""
    worker_processes: int = 1
    cases: int = 0
    turns: int = 0
    notes: tuple[str, ...] = ()
    tables: Mapping[str, TableFiles] = field(default_factory=dict)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder; ReadError where there is none, or it is of another kind or version."""
    path = folder / NAME
    try:
        manifest = msgspec.json.decode(read_regular(path, _MOST_BYTES), type=Manifest)
    except FileNotFoundError as problem:
        sentence = f"This is no folder of results: it has no {NAME}. “evaluate … --results {folder.name}” makes one."
        raise ReadError(sentence, path=str(folder)) from problem
    except OSError as problem:
        raise ReadError(
            f"The manifest could not be read ({problem.strerror or problem}). Copy the folder again.", path=str(path)
        ) from problem
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        sentence = (
            f"This is no manifest of results ({one_line(str(problem), 120)}). Evaluate again into a new folder."
        )
        raise ReadError(sentence, path=str(path)) from problem
    if manifest.trace_inspector_results != VERSION:
        stated = one_line(str(manifest.trace_inspector_results), 20)
        sentence = f"These results are of version {stated}, and this program reads version {VERSION}. Evaluate again."
        raise ReadError(sentence, path=str(path))
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest, whole or not at all. OSError where it cannot be."""
    fresh = folder / unfinished_name()
    value: Json = msgspec.to_builtins(manifest)
    try:
        with fresh.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(folder / NAME)
    finally:
        fresh.unlink(missing_ok=True)


def files_inside(folder: Path, manifest: Manifest) -> dict[str, list[Path]]:
    """The real paths of each table's files. ReadError for one that leads out of the folder, or is no file in it.

    A manifest may come from anybody: an address, a path of its own and a link out of the folder are all refused,
    and nothing of them is looked at.
    """
    root = Path(os.path.realpath(folder))
    tables = {table.name: manifest.tables.get(table.name, TableFiles()).files for table in TABLES}
    if sum(map(len, tables.values())) > _MOST_FILES:
        raise ReadError(f"The manifest names more than {_MOST_FILES:,} files, which is the limit.", path=str(folder))
    return {name: [_inside(root, file, folder) for file in files] for name, files in tables.items()}


def _inside(root: Path, name: str, folder: Path) -> Path:
    def refused(why: str) -> InspectorError:
        sentence = f"The manifest names “{one_line(name, 80)}”, which {why}. Nothing was read."
        return ReadError(sentence, path=str(folder / NAME))

    steps = PurePosixPath(name)
    if (
        steps.is_absolute()
        or ".." in steps.parts
        or not name.endswith(_SUFFIX)
        or any(char in name for char in _MEANING_MORE)
    ):
        raise refused("is no plain name of a Parquet file inside the folder")
    real = Path(os.path.realpath(root / steps))
    if root not in real.parents:
        raise refused("is a link that leads out of the folder")
    try:
        status = real.stat()
    except OSError as problem:
        raise refused("is not there") from problem
    if not stat.S_ISREG(status.st_mode):
        raise refused("is not a regular file")
    return real
