"""Which verdicts stand and which cases are judged, for every way to evaluate again."""

from __future__ import annotations

from tests.models.stories import GOLDENS, TRACES
from trace_inspector.core.verdict.case_key import key_of
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.models.evaluation.run_scope import Scope, Share, share_of


def case(name: str, status: Status) -> CaseVerdict:
    return CaseVerdict(name, "suite", name, status, golden_path=GOLDENS, trace_path=TRACES)


def test_what_each_scope_judges() -> None:
    good, bad, broken = case("good", Status.PASSED), case("bad", Status.FAILED), case("broken", Status.ERROR)
    waiting = case("waiting", Status.PENDING)
    cases = (good, bad, broken, waiting)
    assert share_of(cases, Scope.ALL) == Share()
    assert share_of(cases, Scope.REST) == Share((good, bad, broken))
    assert share_of(cases, Scope.FAILED) == Share((good, waiting), frozenset({key_of(bad), key_of(broken)}))
    assert share_of(cases, Scope.STALE) == Share((good, bad, broken), frozenset({key_of(waiting)}))
    assert share_of(cases, Scope.ONE, bad) == Share((good, broken, waiting), frozenset({key_of(bad)}))
    assert share_of((good,), Scope.FAILED).empty
    assert not share_of((), Scope.REST).empty
