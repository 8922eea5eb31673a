"""`final_state`: the share of the golden's expected session state that the trace ends with."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.summary import compact, one_line
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import ABSENT, JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, against
from trace_inspector.engine.judges.questions.options import BOTH_NAMES, options_of
from trace_inspector.engine.scoring.matching import Matchers, matchers_of
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Subject

_SHOWN = 5
_VALUE_CHARS = 60


class FinalStateParameters(BaseModel):
    """Whether a key that the golden does not expect counts as wrong."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True, extra="forbid", strict=True)

    exact: bool = False


def _parameters(criterion: Criterion) -> FinalStateParameters:
    return options_of(FinalStateParameters, criterion)


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    exact = _parameters(criterion).exact
    expected, observed = _sides(subject)
    matchers = matchers_of(subject.case.matchers if subject.case else ())
    wrong = _wrong(expected, observed, matchers, subject.case.final_state_place if subject.case else "")
    names = {**expected, **observed} if exact else expected
    if not names and not exact:
        raise CannotJudge("the golden expects no key in the final state")
    wrong += [f"{_name(name)} is not expected" for name in names if name not in expected]
    score = (len(names) - len(wrong)) / len(names) if names else 1.0
    more = f" (and {len(wrong) - _SHOWN} more)" if len(wrong) > _SHOWN else ""
    reason = "; ".join(wrong[:_SHOWN]) + more
    verdict = MetricVerdict(criterion.metric, score, against(score, criterion.threshold), criterion.threshold, reason)
    return Judged(verdict, tuple(None for _row in subject.turns))


def _sides(subject: Subject) -> tuple[JsonObject, JsonObject]:
    if subject.case is None:
        raise CannotJudge("there is no golden for this trace")
    if subject.case.final_state is None:
        raise CannotJudge("the golden says nothing about the final state")
    if subject.trace.final_state is None:
        raise CannotJudge("the trace does not record its final state")
    return subject.case.final_state, subject.trace.final_state


def _wrong(expected: JsonObject, observed: JsonObject, matchers: Matchers, place: str) -> list[str]:
    """A phrase for each expected key with another value."""
    phrases = []
    for name, value in expected.items():
        given = observed.get(name, ABSENT)
        if matchers.same(value, given, pointers.join(place, name)):
            continue
        if given is ABSENT:
            phrases.append(f"{_name(name)} is missing")
        else:
            phrases.append(f"{_name(name)} {compact(value, _VALUE_CHARS)} ≠ {compact(given, _VALUE_CHARS)}")
    return phrases


def _name(name: str) -> str:
    return one_line(name, _VALUE_CHARS)


METHOD = Method(_judge, parameters=FinalStateParameters, check=_parameters)
