"""Digests of the goldens of a run, so that a comparison can tell a changed golden from a changed agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_digest import golden_digest
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.engine.reports.sources import Key
from trace_inspector.flows.opening.given_files import Given

NAME = "golden_cases"  # in a run's configuration: suite, case, digest, path
_NO_PATH = ""  # of runs stored before paths were
Named: TypeAlias = tuple[str, str, str]  # suite, case, path


def golden_digests(goldens: Iterable[Given]) -> list[Json]:
    """Suite, case, digest and path of each case."""
    digests: list[Json] = []
    for given in goldens:
        for suite in given.contents.suites:
            digests += [
                [case.suite_id, case.id, digest, given.path]
                for case in suite.cases
                if (digest := golden_digest(case))
            ]
    return digests


def with_digests(run: RunVerdict, cases: Mapping[Key, Case]) -> RunVerdict:
    """The run with the digest of its golden in each verdict, for files that are compared later."""
    digests = {key: golden_digest(case) for key, case in cases.items()}
    verdicts = (
        replace(verdict, golden_digest=digests.get((verdict.golden_path, verdict.golden_place, verdict.case_id), ""))
        for verdict in run.cases
    )
    return replace(run, cases=tuple(verdicts))


def digests_in(configuration: Mapping[str, Json]) -> dict[Named, str]:
    """The stored digests of a run, without names that different cases share."""
    digests: dict[Named, str] = {}
    several: set[Named] = set()
    listed = configuration.get(NAME)
    for entry in listed if isinstance(listed, list) else ():
        match entry:
            case [str(suite), str(name), str(digest), *rest]:
                path = str(rest[0]) if rest else _NO_PATH
                if digests.setdefault((suite, name, path), digest) != digest:
                    several.add((suite, name, path))
    return {key: digest for key, digest in digests.items() if key not in several}


def digest_for(verdict: CaseVerdict, digests: Mapping[Named, str]) -> str | None:
    """The digest of the golden of a verdict; None where it is not known."""
    if verdict.golden_digest:
        return verdict.golden_digest
    named = verdict.suite_id, verdict.case_id
    return digests.get((*named, verdict.golden_path)) or digests.get((*named, _NO_PATH))
