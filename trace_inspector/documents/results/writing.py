"""Writes a results folder: Parquet by DuckDB, shard by shard, each file whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from trace_inspector.core.errors import SaveError
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.results import NAME, is_results
from trace_inspector.documents.results.duck import duckdb_module
from trace_inspector.documents.results.manifest import (
    Manifest,
    TableFiles,
    read_manifest,
    write_manifest,
)
from trace_inspector.documents.results.tables import TABLES, Table
from trace_inspector.documents.saving.saving import sync_folder, unfinished_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Rows = Mapping[str, Sequence[JsonObject]]
# Of a text, and of a list and its texts: a row of the longest ones still fits into what DuckDB takes for one row.
_MOST_CHARS: Final = 100_000
_MOST_ITEMS: Final = 1_000
_MOST_CHARS_OF_ITEM: Final = 500
_MEMORY: Final = "1GB"


def refuse_folder(folder: Path) -> None:
    """SaveError where results cannot be written: the folder holds something already, or is none."""
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return
    except (OSError, ValueError) as problem:
        sentence = "Results are written into a folder of their own, and this is none. Name a new folder."
        raise SaveError(sentence, path=str(folder)) from problem
    if is_results(folder):
        held = read_manifest(folder)
        sentence = f"The folder holds the results of the run {held.run} already. Name a new folder."
        raise SaveError(sentence, path=str(folder))
    if names:
        raise SaveError("The folder holds something else already. Name a new or an empty folder.", path=str(folder))


class ResultsWriter:
    """Writes shards one by one. After each the manifest tells what is there; only `finish` calls it complete."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        refuse_folder(folder)
        self._folder = folder
        self._duckdb = duckdb_module()
        self._files: dict[str, list[str]] = {table.name: [] for table in TABLES}
        self._rows = dict.fromkeys(self._files, 0)
        self._shards = 0
        self._manifest = replace(manifest, complete=False)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection: DuckDBPyConnection = self._duckdb.connect(
                ":memory:", config={"memory_limit": _MEMORY, "temp_directory": str(folder / unfinished_name())}
            )
            write_manifest(folder, self._manifest)
        except OSError as problem:
            raise self._unwritten(problem) from problem

    def __enter__(self) -> ResultsWriter:
        return self

    def __exit__(self, *_problem: object) -> None:
        self._connection.close()

    def add(self, rows: Rows, cases: int, turns: int) -> None:
        """One more shard: the rows of each table."""
        self._shards += 1
        try:
            for table in TABLES:
                if own := rows.get(table.name):
                    self._write(table, own)
            self._manifest = replace(
                self._manifest, cases=self._manifest.cases + cases, turns=self._manifest.turns + turns
            )
            self._tell()
        except (OSError, self._duckdb.Error) as problem:
            raise self._unwritten(problem) from problem

    def finish(self, *, complete: bool) -> None:
        """Say in the manifest that nothing more comes."""
        self._manifest = replace(self._manifest, complete=complete)
        try:
            self._tell()
            sync_folder(self._folder)
        except OSError as problem:
            raise self._unwritten(problem) from problem

    def _tell(self) -> None:
        tables = {name: TableFiles(self._rows[name], tuple(files)) for name, files in self._files.items()}
        self._manifest = replace(self._manifest, tables=tables)
        write_manifest(self._folder, self._manifest)

    def _write(self, table: Table, rows: Sequence[JsonObject]) -> None:
        folder = self._folder / table.name
        folder.mkdir(exist_ok=True)
        name = f"{self._shards:05}.parquet"
        lines, fresh = folder / unfinished_name(), folder / unfinished_name()
        try:
            with lines.open("wb") as file:
                file.writelines(_encoded(rows))
            columns = ", ".join(f"{column}: '{kind}'" for column, kind in table.columns.items())
            read = f"read_json(?, format='newline_delimited', columns={{{columns}}})"
            self._connection.execute(
                f"COPY (SELECT * FROM {read}) TO {_quoted(fresh)} (FORMAT parquet, COMPRESSION zstd)", [str(lines)]
            )
            with fresh.open("rb+") as file:
                os.fsync(file.fileno())
            fresh.replace(folder / name)
        finally:
            lines.unlink(missing_ok=True)
            fresh.unlink(missing_ok=True)
        sync_folder(folder)
        self._files[table.name].append(f"{table.name}/{name}")
        self._rows[table.name] += len(rows)

    def _unwritten(self, problem: Exception) -> SaveError:
        said = problem.strerror or str(problem) if isinstance(problem, OSError) else str(problem).splitlines()[0]
        sentence = (
            f"The results could not be written ({said}). What {NAME} names is whole; evaluate into a new folder."
        )
        return SaveError(sentence, path=str(self._folder))


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _encoded(rows: Iterable[JsonObject]) -> Iterable[bytes]:
    for row in rows:
        yield msgspec.json.encode({name: _whole(value) for name, value in row.items()}) + b"\n"


def _whole(value: Json, most_chars: int = _MOST_CHARS) -> Json:
    """A value of bounded length without half characters and NUL, which no text in Parquet can have."""
    if isinstance(value, str):
        text = value if len(value) <= most_chars else f"{value[: most_chars - 1]}…"
        text = text.replace("\0", "\\0") if "\0" in text else text
        return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, list):
        return [_whole(item, _MOST_CHARS_OF_ITEM) for item in value[:_MOST_ITEMS]]
    if isinstance(value, dict):
        return {name: _whole(item, most_chars) for name, item in value.items()}
    return value
