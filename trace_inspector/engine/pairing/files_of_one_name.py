"""Goldens, or traces of a case, in several files, and the shortest end of the path that distinguishes them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePath
from typing import TypeAlias

from trace_inspector.core.verdict.verdict import CaseVerdict

SameNames: TypeAlias = Mapping[
    tuple[str, str], int
]  # by suite and case, the number of last path parts that distinguish them


def same_name_goldens(*runs: Sequence[CaseVerdict]) -> SameNames:
    """The names that occur in several files. No more of the path than needed: other runs have other folders."""
    return _in_several_files(runs, lambda verdict: verdict.golden_path)


def cases_in_several_files(*runs: Sequence[CaseVerdict]) -> SameNames:
    """The cases of which one run has traces in several files."""
    return _in_several_files(runs, lambda verdict: verdict.trace_path)


def _in_several_files(runs: Sequence[Sequence[CaseVerdict]], path_of: Callable[[CaseVerdict], str]) -> SameNames:
    parts_needed: dict[tuple[str, str], int] = {}
    for run in runs:
        paths: dict[tuple[str, str], set[str]] = defaultdict(set)
        for verdict in run:
            if path_of(verdict):
                paths[verdict.suite_id, verdict.case_id].add(path_of(verdict))
        for name, spelled in paths.items():
            files = {_parts(path) for path in spelled}
            if len(files) > 1:
                parts_needed[name] = max(parts_needed.get(name, 0), _parts_needed(files))
    return parts_needed


def golden_file(verdict: CaseVerdict, alike: SameNames) -> str:
    """The end of the path that distinguishes its golden from others of its name; "" where there are none."""
    return _end(verdict, verdict.golden_path, alike)


def trace_file(verdict: CaseVerdict, several: SameNames) -> str:
    """The end of the path that distinguishes its trace from others of its case; "" where there are none."""
    return _end(verdict, verdict.trace_path, several)


def _end(verdict: CaseVerdict, path: str, alike: SameNames) -> str:
    count = alike.get((verdict.suite_id, verdict.case_id), 0)
    return PurePath(*_parts(path)[-count:]).as_posix() if count and path else ""


def _parts_needed(files: Collection[tuple[str, ...]]) -> int:
    return next(count for count in itertools.count(1) if len({parts[-count:] for parts in files}) == len(files))


def _parts(path: str) -> tuple[str, ...]:
    return PurePath(path).parts
