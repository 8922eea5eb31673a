"""What people wish of a golden and of a scenario of CES beyond words, calls and rubrics."""

from __future__ import annotations

from msgspec.structs import replace

from tests.formats.further_wishes import (
    ANSWERED,
    SIMILAR,
    Wish,
    and_also,
    answered,
    answers,
    bare,
    expecting,
    given,
    gives,
    kinds,
    mocks,
    over_to,
    plus,
    reworked,
    says_anew,
    skips,
    transfers,
    with_text,
    without,
)
from trace_inspector.core.golden.golden_change import Described, ExpectationWithMatchers, Judged, Titled
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult, Unknown

STEPS = "/golden/turns/0/steps"
SECOND = "/golden/turns/1/steps"
CES_TURN: dict[str, Wish] = {
    "words": Wish(
        gives(0, says_anew("Seat 3?")), lambda case: given(case)[2], Text("Seat 3?"), (f"{STEPS}/2/userInput/text",)
    ),
    "an event changed": Wish(
        gives(0, lambda parts: (parts[0], Unknown("event", {"event": "bye"}, parts[1].place), parts[2])),
        lambda case: given(case)[1],
        Unknown("event", {"event": "bye"}),
        (f"{STEPS}/1/userInput/event",),
    ),
    "keys pressed too": Wish(
        gives(0, and_also(Unknown("dtmf", "12"))), lambda case: given(case)[3:], [Unknown("dtmf", "12")], (STEPS,)
    ),
    "an answer of a tool": Wish(
        gives(1, and_also(ANSWERED)),
        lambda case: given(case, 1)[-1],
        ToolResult("find", {"rows": 9}, "c9"),
        (SECOND,),
    ),
    "no variables": Wish(gives(0, lambda parts: parts[1:]), lambda case: case.session, None, (STEPS,)),
    "another result": Wish(
        answers(0, lambda stated: [replace(stated[0], value={"free": False})]),
        answered,
        [("look_up", {"free": False})],
        (f"{STEPS}/6/expectation/toolResponse/response",),
    ),
    "a further result": Wish(
        answers(0, lambda stated: [*stated, ANSWERED]),
        lambda case: [name for name, _ in answered(case)],
        ["look_up", "find"],
        (STEPS,),
    ),
    "no result": Wish(answers(0, lambda _stated: []), lambda case: skips(case, Expects.RESULT), [], (STEPS,)),
    "another target": Wish(
        over_to(1, "clerk"), lambda case: transfers(case, 1), ("clerk",), (f"{SECOND}/2/expectation/agentTransfer",)
    ),
    "a transfer more": Wish(
        over_to(1, "desk", "clerk"), lambda case: transfers(case, 1), ("desk", "clerk"), (SECOND,)
    ),
    "no transfer": Wish(over_to(1), lambda case: transfers(case, 1), (), (SECOND,)),
    "other variables": Wish(
        expecting(0, reworked(Expects.VARIABLES, value={"seat": 3})),
        lambda case: [one.value for one in case.turns[0].expectations if one.kind is Expects.VARIABLES],
        [{"seat": 3}],
        (f"{STEPS}/7/expectation/updatedVariables/seat",),
    ),
    "another mock": Wish(
        expecting(0, reworked(Expects.MOCK, parts=(ToolResult("look_up", {"output": 1}, "c1"),))),
        lambda case: mocks(case.turns[0].expectations),
        [{"output": 1}],
        (f"{STEPS}/5/expectation/mockToolResponse/response/output",),
    ),
    "calls after all": Wish(
        expecting(1, without(Expects.NO_CALLS)), lambda case: kinds(case, 1), [(Expects.TRANSFER, False)], (SECOND,)
    ),
    "no calls": Wish(
        expecting(0, plus(Expectation(Expects.NO_CALLS, value=True))),
        lambda case: kinds(case)[-1],
        (Expects.NO_CALLS, False),
        (STEPS,),
    ),
    "skipped": Wish(
        expecting(0, reworked(Expects.VARIABLES, skipped=True)),
        lambda case: skips(case, Expects.VARIABLES),
        [True],
        (f"{STEPS}/7/expectation",),
    ),
    "no longer skipped": Wish(
        expecting(0, reworked(Expects.RESULT, skipped=False)),
        lambda case: skips(case, Expects.RESULT),
        [False],
        (f"{STEPS}/6/expectation",),
    ),
    "a note": Wish(
        expecting(0, reworked(Expects.CALL, note="Why")),
        lambda case: case.turns[0].expectations[0].note,
        "Why",
        (f"{STEPS}/4/expectation/note",),
    ),
    "a threshold of one call": Wish(
        expecting(0, reworked(Expects.CALL, criteria=(Criterion("ces_parameter_correctness", 0.5),))),
        lambda case: [(one.metric, one.threshold) for one in case.turns[0].expectations[0].criteria],
        [("ces_parameter_correctness", 0.5)],
        (f"{STEPS}/4/expectation/expectationLevelMetricsThresholdsOverride",),
    ),
    "the other way round": Wish(
        expecting(0, lambda stated: stated[::-1]),
        lambda case: [kind for kind, _ in kinds(case)],
        [Expects.ANSWER, Expects.ANSWER, Expects.VARIABLES, Expects.RESULT, Expects.MOCK, Expects.CALL],
        (STEPS,),
    ),
    "other words": Wish(
        expecting(0, reworked(Expects.ANSWER, parts=(Text("Wait."),))),
        lambda case: bare(case.turns[0].expectations[4].parts[0]),
        Text("Wait."),
        (f"{STEPS}/8/expectation/agentResponse/chunks/0/text",),
    ),
    "a sentence by its name": Wish(
        expecting(None, plus(Expectation(Expects.CRITERION, reference="calm"))),
        lambda case: [one.reference for one in case.expectations][-1],
        "calm",
        ("/golden/evaluationExpectations",),
    ),
    "a sentence written out": Wish(
        expecting(None, lambda stated: (*stated[:2], with_text(stated[2], "Is it?"))),
        lambda case: case.expectations[2].text,
        "Is it?",
        ("/golden/evaluationExpectations/2/llmCriteria/prompt",),
    ),
    "criteria of the evaluation": Wish(
        lambda case: Judged(case.place, (SIMILAR,)),
        lambda case: [(one.metric, one.threshold) for one in case.criteria],
        [("ces_semantic_similarity", 3.0)],
        ("/evaluationMetricsThresholdOverride", "/evaluationMetricsConfigOverride"),
    ),
    "criteria of a turn": Wish(
        lambda case: Judged(case.turns[0].place, (SIMILAR,)),
        lambda case: [(one.metric, one.threshold) for one in case.turns[0].criteria],
        [("ces_semantic_similarity", 3.0)],
        ("/golden/turns/0",),
    ),
    "criteria of an expectation": Wish(
        lambda case: Judged(case.turns[0].expectations[0].place, (Criterion("ces_parameter_correctness", 1.0),)),
        lambda case: [(one.metric, one.threshold) for one in case.turns[0].expectations[0].criteria],
        [("ces_parameter_correctness", 1.0)],
        (f"{STEPS}/4/expectation/expectationLevelMetricsThresholdsOverride",),
    ),
    "a title": Wish(lambda _case: Titled("Chairs"), lambda case: case.title, "Chairs", ("/displayName",)),
    "a description": Wish(
        lambda _case: Described("About chairs."),
        lambda case: [one.value for one in case.extras if one.name == "description"],
        ["About chairs."],
        ("/description",),
    ),
    "no description": Wish(
        lambda _case: Described(""),
        lambda case: [one.value for one in case.extras if one.name == "description"],
        [],
        ("",),
    ),
}
TOLD = "/scenario/scenarioExpectations"
NEW_CALL = ExpectationWithMatchers(
    Expectation(Expects.CALL, (ToolCall("book", {"seat": 2}),)), (Matcher("/seat", Match.IGNORE),)
)
CES_SCENARIO: dict[str, Wish] = {
    "another mock": Wish(
        expecting(None, reworked(Expects.MOCK, parts=(ToolResult("look_up", {"output": 1}, "c1"),))),
        lambda case: mocks(case.expectations),
        [{"output": 1}],
        (f"{TOLD}/0/toolExpectation/mockToolResponse/response/output",),
    ),
    "no mock": Wish(
        expecting(None, without(Expects.MOCK)),
        lambda case: [kind for kind, _ in kinds(case, None)],
        [Expects.CALL, Expects.ANSWER, Expects.CRITERION],
        (f"{TOLD}/0/toolExpectation",),
    ),
    "a further call with its mock": Wish(
        expecting(
            None, lambda stated: (*stated, NEW_CALL, ExpectationWithMatchers(Expectation(Expects.MOCK, (ANSWERED,))))
        ),
        lambda case: [kind for kind, _ in kinds(case, None)],
        [Expects.CALL, Expects.MOCK, Expects.ANSWER, Expects.CALL, Expects.MOCK, Expects.CRITERION],
        (TOLD,),
    ),
    "how its argument is compared": Wish(
        expecting(None, lambda stated: (NEW_CALL, *stated)),
        lambda case: [one.match for one in case.matchers if one.place.endswith("/seat")],
        [Match.IGNORE],
        (TOLD,),
    ),
    "another order": Wish(
        expecting(None, lambda stated: (stated[2], *stated[:2], stated[3])),
        lambda case: [kind for kind, _ in kinds(case, None)],
        [Expects.ANSWER, Expects.CALL, Expects.MOCK, Expects.CRITERION],
        (TOLD,),
    ),
    "no sentence": Wish(
        expecting(None, without(Expects.CRITERION)),
        lambda case: [kind for kind, _ in kinds(case, None)],
        [Expects.CALL, Expects.MOCK, Expects.ANSWER],
        ("/scenario",),
    ),
}
