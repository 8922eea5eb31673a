"""Reads a bundle: one document of all its files, each place of which leads into one of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Container, Document, Stamp, stamp_of
from trace_inspector.documents.bundles.bundles import (
    APPS,
    LOG_HEADS,
    MOST_MEMBERS,
    BundleListing,
    app_of,
    is_event,
    listed,
)
from trace_inspector.documents.bundles.on_demand import FOLDER, MembersOnDemand, ValuesOnDemand, checksums
from trace_inspector.documents.packing.packing import is_real_folder, member_at, spot_of
from trace_inspector.documents.results import is_results
from trace_inspector.regular_file import read_regular

MOST_BYTES = 1 << 26  # of all files together
_MOST_TEXT_BYTES = 1 << 20  # of one text, such as an instruction or code
_STRUCTURED = frozenset({".json", ".yaml", ".yml"})
_TEXTS = frozenset({".txt", ".md", ".py"})
_NAMED = 3


def read_bundle(path: Path, read: Callable[[Path], Document], tick: Callable[[], None]) -> Document:
    """All files of a bundle as one object; what cannot be read is null there, and a finding says why."""
    if is_real_folder(path) and is_results(path):
        from trace_inspector.documents.results.folder_document import read_results

        return read_results(path, tick)
    listing = listed(path)
    values: dict[str, Json] = {}
    members: dict[str, Document] = {}
    findings = list(_notes(listing))
    digests: list[bytes] = []
    total = 0
    later = _later(listing)
    for name, size in listing.members:
        tick()
        if name in later:
            continue
        total += size
        if total > MOST_BYTES:
            message = f"The files before this one have {MOST_BYTES >> 20} MiB, which is the limit; open it by itself."
            findings.append(error("bundle-too-large", message, pointers.join("", name)))
            break
        suffix = PurePosixPath(name).suffix.lower()
        try:
            if suffix in _STRUCTURED:
                document = read(path / name)
                members[name], values[name] = document, document.value
                findings += [inside(finding, name) for finding in document.findings]
                data = document.data
            elif suffix in _TEXTS:
                data = _text_bytes(path / name, size, tick)
                values[name] = data.decode("utf-8-sig", "replace")
            else:
                continue
        except (ReadError, OSError) as problem:
            sentence = problem.sentence if isinstance(problem, ReadError) else "The file could not be read."
            values[name] = None
            findings.append(error("member-unreadable", f"{name}: {sentence}", pointers.join("", name)))
            continue
        digests.append(f"{hashlib.sha256(data).hexdigest()} {name}\n".encode())
    _check_heads(path, values, findings)
    stamp, noted = bundle_stamp(path), tuple(findings)
    if not later:
        return Document(path, b"".join(digests), Container.BUNDLE, values, stamp, noted, members=members)
    names = tuple(later)
    on_demand = MembersOnDemand(path, members, names, read)
    data = b"".join((*digests, *checksums(path, names)))
    whole = ValuesOnDemand(values, on_demand, names)
    return Document(path, data, Container.BUNDLE, whole, stamp, noted, members=on_demand)


def _check_heads(path: Path, values: Mapping[str, Json], findings: Iterable[Finding]) -> None:
    """Without any head of a log nothing of it can be told, and why it could not be read is the one thing to say."""
    heads = [name for name in LOG_HEADS if name in values]
    if not heads or any(values[name] is not None for name in heads):
        return
    for finding in findings:
        if finding.code == "member-unreadable" and finding.message.startswith(heads[0]):
            raise ReadError(finding.message, path=str(path))


def _later(listing: BundleListing) -> dict[str, None]:
    """What is too large to be held, samples of a log and events: they are read one by one when they are asked for."""
    names = [name for name, _size in listing.members]
    if app_of(names) in APPS or sum(size for _name, size in listing.members) <= MOST_BYTES:
        return {}
    events = [name for name in names if is_event(name)]  # the first tells whose they are
    return dict.fromkeys((*(name for name in names if name.startswith(FOLDER)), *events[1:]))


def bundle_stamp(path: Path) -> Stamp:
    """What the files of a bundle look like on disk; of one in an archive, what that looks like."""
    if not is_real_folder(path):
        return stamp_of(spot_of(path).file.stat())
    each = [(path / name).stat() for name, _size in listed(path).members]
    newest = max((status.st_mtime_ns for status in each), default=0)
    return Stamp(sum(status.st_size for status in each), newest, path.stat().st_ino)


def inside(finding: Finding, name: str) -> Finding:
    """A finding of one file as one of the bundle."""
    return replace(finding, pointer=pointers.join("", name) + finding.pointer, member=name)


def member_of(document: Document, pointer: str) -> tuple[str, str]:
    """The file of a bundle that a pointer leads into, and the pointer on from there; the app for the whole."""
    name, *rest = pointers.split(pointer) or [app_of(document.members)]
    return name, pointers.join("", *rest)


def _text_bytes(path: Path, size: int, tick: Callable[[], None]) -> bytes:
    if size > _MOST_TEXT_BYTES:
        raise ReadError(f"This text is larger than {_MOST_TEXT_BYTES >> 20} MiB, so it is not shown.")
    spot = spot_of(path)
    return member_at(spot, tick)[0] if spot.member else read_regular(path, _MOST_TEXT_BYTES)


def _notes(listing: BundleListing) -> Iterable[Finding]:
    if not listing.is_whole:
        message = f"There are more than {MOST_MEMBERS:,} files in this bundle; the others are not read."
        yield error("too-many-members", message)
    if listing.others:
        named = ", ".join(listing.others[:_NAMED]) + (" and others" if len(listing.others) > _NAMED else "")
        message = f"These files beside the rest are not part of it and were not read: {named}. Open them separately."
        yield info("beside-the-bundle", message)
