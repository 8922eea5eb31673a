"""Findings in words, for a terminal, the window and programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.braid.attempts import Label, StepKind
from trace_inspector.engine.braid.features import MOST_FEATURES, Feature, FeatureKind
from trace_inspector.engine.braid.findings import Explanation, Finding
from trace_inspector.engine.failure_modes.words import counted_words, points, points_interval

_NAME_CHARS = 80


def step_words(label: Label) -> str:
    """One step, as a column is headed."""
    kind, name = label
    shown = one_line(name, _NAME_CHARS)
    return _STEPS[kind](shown)


_STEPS: Mapping[StepKind, Callable[[str], str]] = {
    StepKind.TURN: lambda name: f"turn {name}",
    StepKind.CALL: lambda name: name or "no name",
    StepKind.HAND_OFF: lambda name: f"→ {name}",
    StepKind.ANSWER: lambda _name: "answer",
}


def deed(finding: Finding) -> str:
    """What those runs do that fail: “skip `verify_address`”."""
    return _DEEDS[finding.feature.kind](finding.feature, finding.absent)


def sentence(finding: Finding) -> str:
    """“11 of 12 failing runs skip `verify_address`; 0 of 28 passing do”."""
    asked = _ASKED.get(finding.feature.kind, _nothing)(finding.feature)
    failing, passing = finding.failing, finding.passing
    return (
        f"{failing[0]:,} of {failing[1]:,} failing runs{asked} {deed(finding)}; "
        f"{passing[0]:,} of {passing[1]:,} passing do"
    )


def standing(finding: Finding) -> str:
    """Whether it is named: “named”, “goes with 1”, “cannot tell”."""
    if finding.goes_with:
        return f"goes with {finding.goes_with}"
    return "named" if finding.is_cause else "cannot tell"


def evidence(finding: Finding) -> str:
    """The test, Holm's correction, the effect with its interval, and the score."""
    adjusted = finding.adjusted
    holm = "not tested" if adjusted is None else f"Holm {chance_words(adjusted)}"
    between = points_interval(finding.effect)
    effect = f"{points(finding.effect)} points" + (f" ({between})" if between else "")
    marks = "; circular: the failing criterion compares it" if finding.circular else ""
    return f"{chance_words(finding.chance)}, {holm}; failing {effect}; Ochiai {finding.ochiai:.2f}{marks}"


def chance_words(chance: float) -> str:
    """“p = 0.012”, “p < 1e-6”."""
    shown = bare_chance(chance)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def bare_chance(chance: float) -> str:
    """“0.012”, “< 1e-6”."""
    return "< 1e-6" if chance < 1e-6 else f"{chance:.2g}"


def conclusion(explanation: Explanation) -> str:
    """Whether a cause is named, in one sentence."""
    runs, failing = len(explanation.attempts), explanation.failing
    if not runs:
        return "Cannot tell: no run passed or failed."
    if failing in (0, runs):
        other = "passes" if failing else "fails"
        return f"Cannot tell: no run {other}, so that there is nothing to compare with."
    named = explanation.named
    if not explanation.findings:
        return "Cannot tell: failing runs do nothing that passing ones do not, of all that is looked at."
    if not explanation.tested:
        passing = counted_words(runs - failing, "passing run")
        return (
            f"Cannot tell: of {failing:,} failing and {passing} no difference that is there could be beyond chance."
        )
    if not named:
        return "Cannot tell: chance alone would make differences as great as these."
    marked = " (circular: the failing criterion compares it)" if named[0].circular else ""
    more = f" {counted_words(len(named) - 1, 'more cause')} below." if len(named) > 1 else ""
    return f"{sentence(named[0])}{marked}.{more}"


def summary(explanation: Explanation) -> str:
    """How much was looked at."""
    failing = explanation.failing
    cases = len({attempt.case[:2] for attempt in explanation.attempts})
    return (
        f"{counted_words(len(explanation.attempts), 'run')} of {counted_words(cases, 'case')}: "
        f"{failing:,} failing, {len(explanation.attempts) - failing:,} passing"
    )


def words_on_tests(explanation: Explanation) -> str:
    """How many features the correction is over."""
    untested = (
        f"; {explanation.untested:,} more are true of too few runs, or of too many, to be tested"
        if explanation.untested
        else ""
    )
    cut = f"; beyond {MOST_FEATURES:,} nothing is looked at" if explanation.is_cut else ""
    tested = counted_words(explanation.tested, "feature")
    return f"{tested} tested (Fisher’s exact test, Holm’s correction){untested}{cut}"


def _quoted(text: str) -> str:
    return f"`{one_line(text, _NAME_CHARS)}`"


def _step(feature: Feature, absent: bool) -> str:
    kind, name = feature.label
    if kind is StepKind.TURN:
        return f"end before turn {name}" if absent else f"reach turn {name}"
    if kind is StepKind.ANSWER:
        return "give no answer" if absent else "answer"
    if kind is StepKind.HAND_OFF:
        return f"{'never hand over' if absent else 'hand over'} to {_quoted(name)}"
    return f"{'skip' if absent else 'call'} {_quoted(name)}"


def _do(feature: Feature) -> str:
    kind, name = feature.label
    return f"hand over to {_quoted(name)}" if kind is StepKind.HAND_OFF else f"call {_quoted(name)}"


def _least(number: float | None) -> str:
    return f"{number or 0:,.6g}"


def _argument(feature: Feature) -> str:
    return f"{_quoted(feature.argument)} of {_quoted(feature.label[1])}"


def _order(feature: Feature, absent: bool) -> str:
    other = feature.other or feature.label
    first, second = (other, feature.label) if absent else (feature.label, other)
    return f"{_do_label(first)} before {_quoted(second[1])}"


def _do_label(label: Label) -> str:
    return f"{'hand over to' if label[0] is StepKind.HAND_OFF else 'call'} {_quoted(label[1])}"


def _seconds(feature: Feature, absent: bool) -> str:
    what = f" for {_quoted(feature.label[1])}" if feature.label[1] else ""
    return f"take {'less than' if absent else 'at least'} {_least(feature.number)} s{what}"


_DEEDS: Mapping[FeatureKind, Callable[[Feature, bool], str]] = {
    FeatureKind.STEP: _step,
    FeatureKind.STEP_IN_TURN: lambda feature, absent: f"{_step(feature, absent)} in turn {feature.turn + 1}",
    FeatureKind.STOP: lambda feature, absent: (
        f"{'go on to' if absent else 'stop early, before'} {_quoted(feature.label[1])}"
    ),
    FeatureKind.TIMES: lambda feature, absent: (
        f"{_do(feature)} {'fewer than' if absent else 'at least'} {_least(feature.number)} times"
    ),
    FeatureKind.REPEATS: lambda feature, absent: (
        f"{_do(feature)} {'fewer than' if absent else 'at least'} {_least(feature.number)} times in a row"
    ),
    FeatureKind.COUNT: lambda feature, absent: (
        f"make {'fewer than' if absent else 'at least'} {_least(feature.number)} calls"
    ),
    FeatureKind.ARGUMENT: lambda feature, absent: f"{'leave out' if absent else 'give'} {_argument(feature)}",
    FeatureKind.VALUE: lambda feature, absent: (
        f"{'never give' if absent else 'give'} {_argument(feature)} as {one_line(feature.value)}"
    ),
    FeatureKind.TYPE: lambda feature, absent: (
        f"{'never give' if absent else 'give'} {_argument(feature)} as {feature.value}"
    ),
    FeatureKind.RANGE: lambda feature, absent: (
        f"give {_argument(feature)} {'below' if absent else 'as at least'} {_least(feature.number)}"
    ),
    FeatureKind.ERROR: lambda feature, absent: (
        f"get {'no' if absent else 'an'} error from {_quoted(feature.label[1])}"
    ),
    FeatureKind.ORDER: _order,
    FeatureKind.SECONDS: _seconds,
}


def _nothing(_feature: Feature) -> str:
    return ""


def _that_call(feature: Feature) -> str:
    return f" that call {_quoted(feature.label[1])}"


# Of which runs alone it can be asked.
_ASKED: Mapping[FeatureKind, Callable[[Feature], str]] = {
    FeatureKind.ARGUMENT: _that_call,
    FeatureKind.VALUE: _that_call,
    FeatureKind.TYPE: lambda _feature: " that state it",
    FeatureKind.RANGE: lambda _feature: " that state it",
    FeatureKind.ERROR: _that_call,
    FeatureKind.ORDER: lambda _feature: " that make both",
    FeatureKind.SECONDS: lambda _feature: " of which it is known",
}
