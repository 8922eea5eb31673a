"""Evaluations, datasets and criteria of CES, made for tests: every message and field of the reference."""

from __future__ import annotations

import re

from trace_inspector.core.values.values import Json, JsonObject

APP = "projects/p/locations/l/apps/a"
TOOL = f"{APP}/tools/look_up"


def expects(**condition: Json) -> JsonObject:
    """A step that expects something."""
    return {"expectation": condition}


def says(**given: Json) -> JsonObject:
    """A step in which the user gives something."""
    return {"userInput": given}


def message(*texts: str) -> JsonObject:
    """A message of the agent."""
    return {"role": "agent", "chunks": [{"text": text} for text in texts]}


def turn(*steps: JsonObject, **others: Json) -> JsonObject:
    """A golden turn."""
    return {"steps": [*steps], **others}


def golden(*turns: JsonObject, **others: Json) -> JsonObject:
    """An evaluation with a golden."""
    return {
        "name": f"{APP}/evaluations/seats",
        "displayName": "Seats",
        "golden": {"turns": [*turns]},
        **others,
    }


LOOK_UP: JsonObject = {
    "id": "c1",
    "tool": TOOL,
    "displayName": "Look up",
    "args": {"seat": 2, "words": {"$matchType": "contains", "$matchValue": "win", "$originalValue": "by the window"}},
}
ANSWER: JsonObject = {"id": "c1", "tool": TOOL, "response": {"output": {"free": True}}}
THRESHOLDS: JsonObject = {
    "goldenEvaluationMetricsThresholds": {
        "turnLevelMetricsThresholds": {
            "semanticSimilaritySuccessThreshold": 2,
            "overallToolInvocationCorrectnessThreshold": 0.5,
            "semanticSimilarityChannel": "AUDIO",
        },
        "expectationLevelMetricsThresholds": {"toolInvocationParameterCorrectnessThreshold": 0.25},
        "toolMatchingSettings": {"extraToolCallBehavior": "ALLOW"},
    },
    "goldenHallucinationMetricBehavior": "DISABLED",
    "scenarioHallucinationMetricBehavior": "ENABLED",
    "hallucinationMetricBehavior": "ENABLED",
}
CONFIG: JsonObject = {
    "goldenMetricsConfig": {
        "semanticSimilarityMetricsConfig": {"enableSemanticSimilarityMetrics": True},
        "toolCorrectnessMetricsConfig": {"enableToolCorrectnessMetrics": False},
        "stepToolCorrectnessMetricsConfig": {},
    },
    "scenarioMetricsConfig": {
        "userGoalMetMetricsConfig": {"enableUserGoalMetMetrics": True},
        "expectationsMetMetricsConfig": {"enableExpectationsMetMetrics": False},
    },
}
SERVER_ONLY: JsonObject = {
    "evaluationDatasets": [f"{APP}/evaluationDatasets/all"],
    "createTime": "2026-01-02T03:04:05.123456789Z",
    "createdBy": "somebody",
    "updateTime": "2026-01-02T03:04:06Z",
    "lastUpdatedBy": "somebody",
    "evaluationRuns": [f"{APP}/evaluationRuns/r1"],
    "etag": "e",
    "aggregatedMetrics": {"metricsByAppVersion": [{"appVersionId": "v1", "passCount": 1}]},
    "lastCompletedResult": {"name": f"{APP}/evaluations/seats/results/r1", "evaluationStatus": "PASS"},
    "lastTenResults": [{"name": f"{APP}/evaluations/seats/results/r1", "evaluationStatus": "PASS"}],
}


def full_golden() -> JsonObject:
    """Every kind of step and of expectation, and an override at each level."""
    first = turn(
        says(variables={"tier": "gold"}),
        says(event={"event": "welcome", "variables": {"from": "web"}}),
        says(text="Is seat 2 free?", willContinue=False),
        {"agentTransfer": {"targetAgent": f"{APP}/agents/clerk", "displayName": "Clerk"}},
        expects(
            toolCall=LOOK_UP,
            note="Looks it up",
            expectationLevelMetricsThresholdsOverride={"toolInvocationParameterCorrectnessThreshold": 0.75},
        ),
        expects(mockToolResponse=ANSWER),
        expects(toolResponse=ANSWER, skipEvaluation=True),
        expects(updatedVariables={"seat": 2}),
        expects(agentResponse=message("One moment.")),
        expects(
            agentResponse=message("Seat 2 is free.", "It is by the window."),
            comparisonType="CONTAINS",
            agentResponseSemanticSimilarityMetricsConfigOverride={"enableSemanticSimilarityMetrics": True},
            agentResponseHallucinationMetricsConfigOverride={},
        ),
        turnLevelMetricsThresholdsOverride={"semanticSimilaritySuccessThreshold": 4},
        hallucinationMetricBehaviorOverride="ENABLED",
        rootSpan={"name": "turn", "duration": "3.5s"},
    )
    second = turn(
        says(dtmf="1#"),
        expects(noToolCalls=True),
        expects(agentTransfer={"targetAgent": "desk"}),
    )
    whole = golden(
        first,
        second,
        description="Asks for a seat.",
        tags=["seats", "smoke"],
        evaluationMetricsThresholdOverride=THRESHOLDS,
        evaluationMetricsConfigOverride=CONFIG,
        **SERVER_ONLY,
    )
    whole["golden"] = {
        "turns": [first, second],
        "evaluationExpectations": [
            f"{APP}/evaluationExpectations/polite",
            "brief",
            {"displayName": "Kind", "llmCriteria": {"prompt": "Is the agent kind?"}},
        ],
    }
    return whole


def scenario(**others: Json) -> JsonObject:
    """An evaluation with a scenario that has every field."""
    return {
        "name": "talk",
        "displayName": "Talk",
        "scenario": {
            "task": "Book seat 2.",
            "userFacts": [{"name": "seat", "value": "2"}, {"name": "row", "value": "first"}],
            "maxTurns": 8,
            "rubrics": ["Is brief.", "Is kind."],
            "scenarioExpectations": [
                {"toolExpectation": {"expectedToolCall": LOOK_UP, "mockToolResponse": ANSWER}},
                {"agentResponse": message("Booked.")},
            ],
            "variableOverrides": {"tier": "gold"},
            "userGoalBehavior": "USER_GOAL_REJECTED",
            "evaluationExpectations": ["polite"],
            "scenarioExecutionMode": "SPEED_OPTIMIZED",
            **others,
        },
    }


def dataset(**others: Json) -> JsonObject:
    """A dataset that names two evaluations."""
    return {
        "name": f"{APP}/evaluationDatasets/all",
        "displayName": "All of them",
        "evaluations": [f"{APP}/evaluations/seats", "talk"],
        "createTime": "2026-01-02T03:04:05Z",
        **others,
    }


def criterion(**others: Json) -> JsonObject:
    """A criterion in a sentence."""
    return {
        "name": f"{APP}/evaluationExpectations/polite",
        "displayName": "Polite",
        "llmCriteria": {"prompt": "Is the agent polite?"},
        "tags": ["tone"],
        **others,
    }


def snake(value: Json) -> Json:
    """The same value in the spelling of Python's dumps; what stands in arguments and variables stays."""
    if isinstance(value, list):
        return [snake(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", key): item if key in _FREE else snake(item)
        for key, item in value.items()
    }


TABLE = """\
display_name,turn_index,action_type,text,tags
Seats,,,,smoke
,0,SAY,Is seat 2 free?,
,0,CALL,"{""tool"": ""look_up""}",
,1,SAY,Thanks,
Talk,0,SAY,Hello,
"""
_FREE = ("args", "response", "variables", "updatedVariables", "variableOverrides")
EVALUATIONS: dict[str, Json] = {
    "golden": full_golden(),
    "scenario": scenario(),
    "list": [full_golden(), scenario()],
    "reply": {"evaluations": [full_golden(), scenario()], "nextPageToken": "more"},
    "snake": snake(full_golden()),
}
