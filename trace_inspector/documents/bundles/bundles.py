"""Bundles: folders, in archives too, whose files make one document together: CES apps, logs of Inspect, results."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.packing.packing import Spot, first_bytes, is_file, is_real_folder, spot_of
from trace_inspector.documents.results import NAME as RESULTS
from trace_inspector.documents.results import is_results
from trace_inspector.documents.text.magic import is_archive

APPS = ("app.json", "app.yaml", "app.yml")
MOST_MEMBERS = 10_000
_MOST_LISTED = 100_000
_BESIDE = frozenset({"global_instruction.txt", "environment.json", "environment.yaml", "environment.yml"})
_FOLDERS = frozenset(
    {
        "agents",
        "tools",
        "toolsets",
        "guardrails",
        "examples",
        "evaluations",
        "evaluationDatasets",
        "evaluationExpectations",
        "evaluationPersonas",
    }
)
_IDENTIFYING_FOLDERS = frozenset({"agents", "evaluations"})  # one of these makes a folder with an app in it a bundle
# Archives of Inspect: one of the heads, which come first, and samples or the journal of a run that was broken off.
LOG_HEADS = ("header.json", "_journal/start.json")
_LOG_BESIDE = frozenset({"summaries.json", "reductions.json"})
_LOG_FOLDERS = frozenset({"samples", "_journal"})
_SAMPLE = re.compile(r"samples/[^/]*_epoch_\d+\.json")
_STRUCTURED = frozenset({".json", ".yaml", ".yml"})
_MAGIC_BYTES = 4
_DEPTH = 3  # agents/ID/ID.json
_DEEPEST = 12
_LOOKED_AT = 200


class BundleListing(Struct, frozen=True):
    """The files of a bundle by name, in order, with their sizes; beside them names that are no part of it."""

    members: tuple[tuple[str, int], ...]
    others: tuple[str, ...] = ()
    is_whole: bool = True


def is_bundle(path: Path) -> bool:
    """Whether the files below a path make one document. Only names are looked at."""
    if is_real_folder(path):
        return is_results(path) or _is_bundle_folder(path)
    spot = spot_of(path)
    if not spot.member and not (is_file(path) and is_archive(first_bytes(path, _MAGIC_BYTES))):
        return False
    from trace_inspector.documents.zip.directory import directory_of

    try:
        return spot.member not in directory_of(spot.file).members and are_bundle_names(_names_below(spot))
    except (OSError, ReadError):
        return False


def are_bundle_names(names: Iterable[str]) -> bool:
    """Whether files of these names, relative to their folder, are a bundle."""
    has_app = has_parts = has_header = has_sample = False
    for name in names:
        has_app = has_app or name in APPS
        has_parts = has_parts or _identifies_bundle(name)
        has_header = has_header or name == LOG_HEADS[0]
        has_sample = has_sample or _SAMPLE.fullmatch(name) is not None
        if name == LOG_HEADS[1] or (has_header and has_sample) or (has_app and has_parts):
            return True
    return False


def roots_in(names: Iterable[str]) -> frozenset[str]:
    """The folders among these names of files that are bundles; "" is the one in which all of them lie."""
    apps, parts, logs, headers, samples = set(), set(), set(), set(), set()
    for name in names:
        folder, _, file = name.rpartition("/")
        if file in APPS:
            apps.add(folder)
        if name.endswith(LOG_HEADS[1]):
            logs.add(name.removesuffix(LOG_HEADS[1]).rstrip("/"))
        if file == LOG_HEADS[0]:
            headers.add(folder)
        if _SAMPLE.fullmatch("/".join(name.rsplit("/", 2)[-2:])):
            samples.add(folder.rpartition("/")[0])
        above, *steps = name.rsplit("/", _DEPTH) if name.count("/") >= _DEPTH else ["", *name.split("/")]
        if _identifies_bundle("/".join(steps)):
            parts.add(above)
    return frozenset(apps & parts) | logs | (headers & samples)


def listed(path: Path) -> BundleListing:
    """The files of a bundle; OSError or ReadError when they cannot be listed."""
    files = _in_folder(path, "", 0) if is_real_folder(path) else _in_archive(spot_of(path))
    kept: list[tuple[str, int]] = []
    others: list[str] = []
    found = list(islice(files, _MOST_LISTED))
    names = {name for name, _size in found}
    belongs = _belongs
    if LOG_HEADS[1] in names or (LOG_HEADS[0] in names and any(map(_SAMPLE.fullmatch, names))):
        belongs = _belongs_to_log
    elif RESULTS in names:  # the manifest is written last and names all others
        belongs = _belongs_to_results
    for name, size in found:
        if belongs(name):
            kept.append((name, size))
        else:
            others.append(name)
    kept.sort(key=_order)
    is_whole = len(kept) <= MOST_MEMBERS and len(kept) + len(others) < _MOST_LISTED
    return BundleListing(tuple(kept[:MOST_MEMBERS]), tuple(sorted(others)), is_whole)


def app_of(names: Iterable[str]) -> str:
    """The file that says what the whole is; "" where there is none."""
    present = set(names)
    return next((name for name in (*APPS, *LOG_HEADS) if name in present), "")


def _order(member: tuple[str, int]) -> tuple[bool, str]:
    name = member[0]
    return name not in APPS and name not in LOG_HEADS, name


def _belongs(name: str) -> bool:
    return name in APPS or name in _BESIDE or ("/" in name and name.partition("/")[0] in _FOLDERS)


def _belongs_to_log(name: str) -> bool:
    return name in LOG_HEADS or name in _LOG_BESIDE or name.partition("/")[0] in _LOG_FOLDERS


def _belongs_to_results(name: str) -> bool:
    return name == RESULTS


def _identifies_bundle(name: str) -> bool:
    """Whether a name is that of an agent or an evaluation in a bundle: agents/ID/ID.json."""
    kind, _, rest = name.partition("/")
    return kind in _IDENTIFYING_FOLDERS and rest.count("/") == 1 and PurePosixPath(rest).suffix.lower() in _STRUCTURED


def _is_bundle_folder(folder: Path) -> bool:
    if not any((folder / name).is_file() for name in APPS):
        return False
    return any(
        _identifies_bundle(f"{kind}/{entry.name}/{file.name}")
        for kind in sorted(_IDENTIFYING_FOLDERS)
        for entry in islice(_entries(folder / kind), _LOOKED_AT)
        if entry.is_dir(follow_symlinks=False)
        for file in islice(_entries(Path(entry.path)), _LOOKED_AT)
    )


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from sorted(entries, key=lambda entry: (entry.is_dir(follow_symlinks=False), entry.name))
    except OSError:  # what may not be looked into, or is no folder, holds nothing for us
        return


def _in_folder(folder: Path, above: str, depth: int) -> Iterator[tuple[str, int]]:
    """Files below a folder; links are not followed, and no folder is so deep by itself."""
    for entry in _entries(folder):
        name = f"{above}{entry.name}"
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if depth < _DEEPEST and (depth or entry.name in _FOLDERS):
                yield from _in_folder(Path(entry.path), f"{name}/", depth + 1)
            else:
                yield f"{name}/", 0
        elif (status := _status(entry)) is not None and stat.S_ISREG(status.st_mode):
            yield name, status.st_size


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:  # it went away meanwhile
        return None


def _in_archive(spot: Spot) -> Iterator[tuple[str, int]]:
    head = f"{spot.member}/" if spot.member else ""
    from trace_inspector.documents.zip.directory import directory_of

    for name, member in directory_of(spot.file).members.items():
        if name.startswith(head) and not name.rpartition("/")[2].startswith("."):
            yield name[len(head) :], member.record.unpacked_bytes


def _names_below(spot: Spot) -> Iterator[str]:
    return (name for name, _size in _in_archive(spot))
