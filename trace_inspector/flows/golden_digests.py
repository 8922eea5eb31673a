"""Which goldens a run was judged by, so that a later comparison can tell a changed golden from a changed agent."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from trace_inspector.core.golden import Case
from trace_inspector.core.values import Absent, Json, JsonObject
from trace_inspector.core.verdict import CaseVerdict
from trace_inspector.flows.given_files import Given

NAME = "golden_cases"  # in a run's configuration: suite, case, digest, path
_DIGEST_CHARS = 16
_NO_PATH = ""  # of runs that were kept before paths were
_PLACES = frozenset({"place", "final_state_place"})
Named: TypeAlias = tuple[str, str, str]  # suite, case, path


def golden_digests(goldens: Iterable[Given]) -> list[Json]:
    """Suite, case, digest and path of each case."""
    found: list[Json] = []
    for given in goldens:
        for suite in given.contents.suites:
            found += [
                [case.suite_id, case.id, digest, given.path]
                for case in suite.cases
                if (digest := golden_digest(case))
            ]
    return found


def golden_digest(case: Case) -> str:
    """What a golden demands, in few characters: the same wherever it stands in a file, and whatever is noted on it.

    "" for one that cannot be told.
    """
    demands = replace(case, notes=(), overrules=(), tags=(), extras=())
    try:
        written = json.dumps(_plain(demands), sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return ""
    if case.place:
        written = written.replace(f'"{case.place}/', '"/')
    return hashlib.sha256(written.encode()).hexdigest()[:_DIGEST_CHARS]


def digests_in(configuration: Mapping[str, Json]) -> dict[Named, str]:
    """The digests that a run keeps; none of cases that bear one name and are not the same."""
    found: dict[Named, str] = {}
    several: set[Named] = set()
    listed = configuration.get(NAME)
    for one in listed if isinstance(listed, list) else ():
        match one:
            case [str(suite), str(name), str(digest), *rest]:
                path = str(rest[0]) if rest else _NO_PATH
                if found.setdefault((suite, name, path), digest) != digest:
                    several.add((suite, name, path))
    return {key: digest for key, digest in found.items() if key not in several}


def digest_for(verdict: CaseVerdict, digests: Mapping[Named, str]) -> str | None:
    """The digest of the golden that a verdict is about; None where it is not known."""
    named = verdict.suite_id, verdict.case_id
    return digests.get((*named, verdict.golden_path)) or digests.get((*named, _NO_PATH))


def _plain(value: object) -> Json:
    """Values as JSON without their places, and without what is empty: a later version may know more fields."""
    if dataclasses.is_dataclass(value):
        named = ((one.name, getattr(value, one.name)) for one in dataclasses.fields(value))
        told: JsonObject = {
            name: _plain(item)
            for name, item in named
            if name not in _PLACES and not isinstance(item, Absent) and item not in (None, "", (), False)
        }
        return {"of": type(value).__name__, **told}
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return [*sorted(map(str, value))]
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str | int | float | bool | None):
        return value
    raise TypeError(f"a {type(value).__name__} has no digest")
