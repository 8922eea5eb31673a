"""Goldens in several files that share a name, and the shortest end of the path that distinguishes them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from typing import TypeAlias

from trace_inspector.core.verdict.verdict import CaseVerdict

SameNames: TypeAlias = Mapping[
    tuple[str, str], int
]  # by suite and case, the number of last path parts that distinguish them


def same_name_goldens(*runs: Sequence[CaseVerdict]) -> SameNames:
    """The names that occur in several files. No more of the path than needed: other runs have other folders."""
    parts_needed: dict[tuple[str, str], int] = {}
    for run in runs:
        paths: dict[tuple[str, str], set[str]] = defaultdict(set)
        for verdict in run:
            if verdict.golden_path:
                paths[verdict.suite_id, verdict.case_id].add(verdict.golden_path)
        for name, spelled in paths.items():
            files = {_parts(path) for path in spelled}
            if len(files) > 1:
                parts_needed[name] = max(parts_needed.get(name, 0), _parts_needed(files))
    return parts_needed


def golden_file(verdict: CaseVerdict, alike: SameNames) -> str:
    """The end of the path that distinguishes its golden from others of its name; "" where there are none."""
    count = alike.get((verdict.suite_id, verdict.case_id), 0)
    return PurePath(*_parts(verdict.golden_path)[-count:]).as_posix() if count and verdict.golden_path else ""


def _parts_needed(files: Collection[tuple[str, ...]]) -> int:
    return next(count for count in itertools.count(1) if len({parts[-count:] for parts in files}) == len(files))


def _parts(path: str) -> tuple[str, ...]:
    return PurePath(path).parts
