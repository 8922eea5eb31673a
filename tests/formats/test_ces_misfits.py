"""Values of a wrong kind that CES's client refuses: each is named at its place and not passed over."""

from __future__ import annotations

from typing import Any

from tests.formats import ces_golden_files as golden
from tests.formats import ces_result_files as made
from tests.formats.span_files import opened
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json

APP: dict[str, Any] = {
    "name": made.APP,
    "rootAgent": "clerk",
    "globalInstruction": "Be kind.",
    "evaluationPersonas": [],
}


def chunk(**members: Json) -> Json:
    """A conversation in which the agent says one thing."""
    return made.conversation({"messages": [{"role": "clerk", "chunks": [members]}]})


FILES: dict[str, tuple[Json, str]] = {
    "app: name": ({**APP, "name": 3}, "/name"),
    "app: description": ({**APP, "description": ["x"]}, "/description"),
    "app: display name": ({**APP, "displayName": {"a": 1}}, "/displayName"),
    "app: root agent": ({**APP, "rootAgent": 2.5}, "/rootAgent"),
    "app: instruction": ({**APP, "globalInstruction": ["x"]}, "/globalInstruction"),
    "app: personas": ({**APP, "evaluationPersonas": 7}, "/evaluationPersonas"),
    "app: persona": ({**APP, "evaluationPersonas": ["odd"]}, "/evaluationPersonas/0"),
    "app: persona's name": ({**APP, "evaluationPersonas": [{"name": 1}]}, "/evaluationPersonas/0/name"),
    "app: voice": (
        {**APP, "evaluationPersonas": [{"speechConfig": {"voiceId": 1}}]},
        "/evaluationPersonas/0/speechConfig/voiceId",
    ),
    "media: type": (chunk(blob={"mimeType": 3}), "/turns/0/messages/0/chunks/0/blob/mimeType"),
    "media: data": (chunk(image={"data": {"a": 1}}), "/turns/0/messages/0/chunks/0/image/data"),
    "media: key": (chunk(image={"dada": "QQ=="}), "/turns/0/messages/0/chunks/0/image/dada"),
    "call: toolset": (
        chunk(toolCall={"toolsetTool": {"toolset": ["x"]}}),
        "/turns/0/messages/0/chunks/0/toolCall/toolsetTool/toolset",
    ),
    "answer: toolset": (
        chunk(toolResponse={"toolsetTool": {"tool": "x"}}),
        "/turns/0/messages/0/chunks/0/toolResponse/toolsetTool/tool",
    ),
    "input: answer": (
        golden.golden(golden.turn(golden.says(toolResponses={"toolResponses": [{"id": -1}]}))),
        "/golden/turns/0/steps/0/userInput/toolResponses/toolResponses/0/id",
    ),
    "input: answers": (
        golden.golden(golden.turn(golden.says(toolResponses={"toolResponses": True}))),
        "/golden/turns/0/steps/0/userInput/toolResponses/toolResponses",
    ),
    "switch": (
        golden.golden(golden.turn(), evaluationMetricsConfigOverride={"scenarioMetricsConfig": {
            "userGoalMetMetricsConfig": {"enabled": True}}}),
        "/evaluationMetricsConfigOverride/scenarioMetricsConfig/userGoalMetMetricsConfig/enabled",
    ),
    "deprecated outcome": (
        made.result(made.replay(expectationOutcome=[{"semanticSimilarityResult": {"outcome": "GOOD"}}])),
        "/goldenResult/turnReplayResults/0/expectationOutcome/0/semanticSimilarityResult/outcome",
    ),
}  # fmt: skip


@each("name", FILES)
def test_what_the_client_refuses_is_named_at_its_place(name: str) -> None:
    value, place = FILES[name]
    assert place in {finding.pointer for finding in opened(value).findings}


def test_what_the_client_takes_is_not_named() -> None:
    persona: Json = {"name": "p", "displayName": "P", "speechConfig": {"speakingRate": 1.5, "environment": "CAFE"}}
    assert opened({**APP, "evaluationPersonas": [persona], "metadata": {"a": "b"}}).findings == ()
    assert opened(chunk(image={"mimeType": "image/png", "data": "QQ==", "altText": "A"})).findings == ()
