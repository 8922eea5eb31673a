"""Notes on broken input files: a verdict on half a file must not look like one on all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Contents

# Findings that mean a part of the file is lost.
LOST = frozenset(
    (
        "truncated", "half-character", "too-large", "unreadable-rest", "mismatched-bracket", "missing-value",
        "missing-key", "too-deep", "huge-number", "yaml-syntax", "yaml-bomb", "too-much", "too-slow",
        "too-many-items", "too-many-members", "bundle-too-large", "member-unreadable", "archive-damaged",
        "packed-damaged", "damaged-message", "damaged-table", "damaged-span", "not-a-file",
    )
)  # fmt: skip
GIVEN_TWICE = "given-twice"
_MOST = 10


def is_broken(contents: Contents) -> bool:
    """Whether a part of a file is lost, of unknown formats as well."""
    return any(_breaks(finding) for finding in contents.findings)


def input_notes(files: Iterable[tuple[str, Contents]]) -> list[str]:
    """A sentence for each broken file, with the first place, and for each file given more than once."""
    given = list(files)
    return [*_bounded(_broken(given), "files are broken"), *_bounded(_repeated(given), "files are given repeatedly")]


def _bounded(notes: Iterable[str], others: str) -> list[str]:
    notes = list(notes)
    remaining = len(notes) - _MOST
    return [*notes[:_MOST], f"{remaining} more {others}"] if remaining > 0 else notes


def _repeated(files: Iterable[tuple[str, Contents]]) -> Iterator[str]:
    for path, contents in files:
        for finding in contents.findings:
            if finding.code == GIVEN_TWICE:
                yield f"{path}: {finding.message}"


def _broken(files: Iterable[tuple[str, Contents]]) -> Iterator[str]:
    for path, contents in files:
        first = next((finding for finding in contents.findings if _breaks(finding)), None)
        if first is not None:
            place = f"{path}:{first.line}:{first.column}" if first.line else path
            out = "" if contents.format else " Nothing in it was evaluated."
            yield f"{place}: {first.message}{out}"


def _breaks(finding: Finding) -> bool:
    return finding.code in LOST
