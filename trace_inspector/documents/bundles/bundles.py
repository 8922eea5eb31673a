"""Bundles: folders, in archives too, whose files make one document together.

CES apps, logs of Inspect, results, and conversations of OpenHands, which keeps each event in a file of its own.
"""

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
# Conversations of OpenHands: the state and a folder of events; or, as downloaded, nothing but events and `meta.json`.
_STATE, _ABOUT = "base_state.json", "meta.json"
_EVENTS = "events"
_EVENT = re.compile(r"(?:events/)?event[-_](\d{5,12})(?:[-_][^/]{1,80})?\.json")
_EVENT_ALONE = re.compile(r"event[-_]\d{5,12}[-_][0-9a-fA-F-]{8,80}\.json")
_HEADS = (*APPS, *LOG_HEADS, _STATE, _ABOUT)
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
        return is_results(path) or _is_bundle_folder(path) or _is_conversation(path)
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
    has_app = has_parts = has_header = has_sample = has_state = has_events = False
    only_events, has_alone = True, False
    for name in names:
        has_app, has_parts = has_app or name in APPS, has_parts or _identifies_bundle(name)
        has_header = has_header or name == LOG_HEADS[0]
        has_sample = has_sample or _SAMPLE.fullmatch(name) is not None
        has_state, has_events = has_state or name == _STATE, has_events or is_event(name)
        pairs = ((has_app, has_parts), (has_header, has_sample), (has_state, has_events))
        if name == LOG_HEADS[1] or any(map(all, pairs)):
            return True
        is_alone = _EVENT_ALONE.fullmatch(name) is not None
        only_events, has_alone = only_events and (is_alone or name == _ABOUT), has_alone or is_alone
    return only_events and has_alone


def is_event(name: str) -> bool:
    """Whether a name in a bundle is that of an event of OpenHands."""
    return _EVENT.fullmatch(name) is not None


def roots_in(names: Iterable[str]) -> frozenset[str]:
    """The folders among these names of files that are bundles; "" is the one in which all of them lie."""
    apps, parts, logs, headers, samples, states, spoken, alone = (set[str]() for _ in range(8))
    listed_names = tuple(names)
    for name in listed_names:
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
        if file == _STATE:
            states.add(folder)
        elif is_event(file):
            spoken.update({folder.removesuffix(_EVENTS).rstrip("/")} if folder.endswith(_EVENTS) else ())
            alone.update({folder} if _EVENT_ALONE.fullmatch(file) and folder.count("/") < _DEEPEST else ())
    return (
        frozenset(apps & parts)
        | logs
        | (headers & samples)
        | (states & spoken)
        | _with_only_events(alone, listed_names)
    )


def _with_only_events(folders: set[str], names: tuple[str, ...]) -> set[str]:
    """Those of some folders in which nothing else lies."""
    if not folders:
        return folders
    others: set[str] = set()
    for name in names:
        folder, _, file = name.rpartition("/")
        if folder not in folders or not (file == _ABOUT or _EVENT_ALONE.fullmatch(file)):
            steps = name.split("/", _DEEPEST + 1)[:-1]
            others.update("/".join(steps[:depth]) for depth in range(len(steps) + 1))
        elif folder:
            steps = folder.split("/")
            others.update("/".join(steps[:depth]) for depth in range(len(steps)))
    return folders - others


def listed(path: Path) -> BundleListing:
    """The files of a bundle; OSError or ReadError when they cannot be listed."""
    files = _in_folder(path, "", 0, _inner(path)) if is_real_folder(path) else _in_archive(spot_of(path))
    kept: list[tuple[str, int]] = []
    others: list[str] = []
    found = list(islice(files, _MOST_LISTED))
    names = {name for name, _size in found}
    belongs = _belongs
    if LOG_HEADS[1] in names or (LOG_HEADS[0] in names and any(map(_SAMPLE.fullmatch, names))):
        belongs = _belongs_to_log
    elif RESULTS in names:  # the manifest is written last and names all others
        belongs = _belongs_to_results
    elif names.isdisjoint(APPS) and any(map(is_event, names)):
        belongs = _belongs_to_conversation
    for name, size in found:
        if belongs(name):
            kept.append((name, size))
        else:
            others.append(name)
    kept.sort(key=_order)
    is_whole = len(kept) <= MOST_MEMBERS and len(kept) + len(others) < _MOST_LISTED
    return BundleListing(tuple(kept[:MOST_MEMBERS]), tuple(sorted(others)), is_whole)


def app_of(names: Iterable[str]) -> str:
    """The file that says what the whole is, of events alone the first one; "" where there is none."""
    present = dict.fromkeys(names)
    return next((name for name in _HEADS if name in present), next(filter(is_event, present), ""))


def _order(member: tuple[str, int]) -> tuple[bool, int, str]:
    """What says what the whole is comes first, then events by their number: late ones have more digits."""
    event = _EVENT.fullmatch(member[0])
    return member[0] not in _HEADS, int(event[1]) if event else 0, member[0]


def _belongs(name: str) -> bool:
    return name in APPS or name in _BESIDE or ("/" in name and name.partition("/")[0] in _FOLDERS)


def _belongs_to_log(name: str) -> bool:
    return name in LOG_HEADS or name in _LOG_BESIDE or name.partition("/")[0] in _LOG_FOLDERS


def _belongs_to_results(name: str) -> bool:
    return name == RESULTS


def _belongs_to_conversation(name: str) -> bool:
    return name in (_STATE, _ABOUT) or is_event(name)


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


def _is_conversation(folder: Path) -> bool:
    """Events beside a state, or nothing but events; most folders are told by the first name in them."""
    try:
        if (folder / _STATE).is_file():
            inner = folder / _EVENTS
            with os.scandir(inner) as entries:
                return not inner.is_symlink() and any(is_event(entry.name) for entry in entries)
        with os.scandir(folder) as entries:
            seen = (entry for entry in entries if not entry.name.startswith(".") and entry.name != _ABOUT)
            told = (bool(_EVENT_ALONE.fullmatch(one.name)) and one.is_file(follow_symlinks=False) for one in seen)
            return next(told, False) and all(told)
    except OSError:
        return False


def _inner(folder: Path) -> frozenset[str]:
    """The folders that are looked into in one."""
    return frozenset({_EVENTS}) if (folder / _STATE).is_file() else _FOLDERS


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from sorted(entries, key=lambda entry: (entry.is_dir(follow_symlinks=False), entry.name))
    except OSError:  # what may not be looked into, or is no folder, holds nothing for us
        return


def _in_folder(folder: Path, above: str, depth: int, inner: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Files below a folder; links are not followed, and no folder is so deep by itself."""
    for entry in _entries(folder):
        name = f"{above}{entry.name}"
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if depth < _DEEPEST and (depth or entry.name in inner):
                yield from _in_folder(Path(entry.path), f"{name}/", depth + 1, inner)
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

    directory = directory_of(spot.file)
    for name in directory.below(spot.member):
        if not name.rpartition("/")[2].startswith("."):
            yield name[len(head) :], directory.members[name].record.unpacked_bytes


def _names_below(spot: Spot) -> Iterator[str]:
    return (name for name, _size in _in_archive(spot))
