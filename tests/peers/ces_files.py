"""The messages of CES's evaluations as a table, and random files of them."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator

from tests.peers.messages import Maker, Messages, snake
from tests.peers.odd_values import camel, text
from trace_inspector.core.values.values import Json, JsonObject

APP = "projects/p/locations/l/apps/a"

ENUMS = {
    "Outcome": "OUTCOME_UNSPECIFIED PASS FAIL SKIPPED",
    "ExecutionState": "EXECUTION_STATE_UNSPECIFIED RUNNING COMPLETED ERROR CANCELLED QUEUED",
    "RunState": "EVALUATION_RUN_STATE_UNSPECIFIED RUNNING COMPLETED ERROR CANCELLED QUEUED",
    "ErrorType": "ERROR_TYPE_UNSPECIFIED RUNTIME_FAILURE CONVERSATION_RETRIEVAL_FAILURE METRIC_CALCULATION_FAILURE"
    " EVALUATION_UPDATE_FAILURE QUOTA_EXHAUSTED USER_SIMULATION_FAILURE",
    "Method": "GOLDEN_RUN_METHOD_UNSPECIFIED STABLE NAIVE",
    "Hallucinating": "HALLUCINATION_METRIC_BEHAVIOR_UNSPECIFIED DISABLED ENABLED",
    "Channel": "SEMANTIC_SIMILARITY_CHANNEL_UNSPECIFIED TEXT AUDIO",
    "ExtraCalls": "EXTRA_TOOL_CALL_BEHAVIOR_UNSPECIFIED FAIL ALLOW",
    "SpanType": "TYPE_UNSPECIFIED TOOL USER_CALLBACK GUARDRAIL LLM",
    "Comparison": "COMPARISON_TYPE_UNSPECIFIED EQUALS CONTAINS SEMANTIC_SIMILARITY",
    "Goal": "USER_GOAL_BEHAVIOR_UNSPECIFIED USER_GOAL_SATISFIED USER_GOAL_REJECTED USER_GOAL_IGNORED",
    "Mode": "SCENARIO_EXECUTION_MODE_UNSPECIFIED QUALITY_OPTIMIZED SPEED_OPTIMIZED",
    "Type": "EVALUATION_TYPE_UNSPECIFIED GOLDEN SCENARIO MIXED",
    "Source": "SOURCE_UNSPECIFIED LIVE SIMULATOR EVAL AGENT_TOOL",
    "Background": "BACKGROUND_ENVIRONMENT_UNSPECIFIED CALL_CENTER=3 TRAFFIC=4 KIDS_NOISE=5 CAFE=6",
}

MESSAGES = {
    "EvaluationResult": "!name:result displayName:title createTime:time evaluationStatus:Outcome evaluationRun"
    " persona:Persona ?errorInfo:ErrorInfo ?error:Status initiatedBy appVersion:version appVersionDisplayName"
    " changelog"
    " executionState:ExecutionState evaluationMetricsThresholds:Thresholds goldenRunMethod:Method"
    " <!goldenResult:GoldenResult !goldenResult:GoldenResult !scenarioResult:ScenarioResult>",
    "GoldenResult": "!turnReplayResults:Replay[] evaluationExpectationResults:CriterionResult[]",
    "Replay": "conversation !expectationOutcome:Entry[] hallucinationResult:Judged toolInvocationScore:share"
    " toolOrderedInvocationScore:share turnLatency:duration toolCallLatencies:ToolLatency[]"
    " semanticSimilarityResult:Similarity overallToolInvocationResult:Overall ?errorInfo:ErrorInfo"
    " spanLatencies:Latency[]",
    "Entry": "expectation:GoldenExpectation outcome:Outcome semanticSimilarityResult:Similarity"
    " toolInvocationResult:Parameters <!observedToolCall:ToolCall !observedToolResponse:ToolResponse"
    " !observedAgentResponse:Message !observedAgentTransfer:Transfer observedPayload:struct>",
    "Parameters": "parameterCorrectnessScore:share outcome:Outcome explanation",
    "Similarity": "score:whole label explanation outcome:Outcome",
    "Judged": "score:verdict label explanation",
    "Overall": "toolInvocationScore:share outcome:Outcome",
    "CriterionResult": "evaluationExpectation prompt outcome:Outcome explanation",
    "ToolLatency": "tool:tool displayName startTime:time endTime:time executionLatency:duration",
    "Latency": "type:SpanType displayName startTime:time endTime:time executionLatency:duration"
    " <resource toolset:ToolsetTool model callback>",
    "ErrorInfo": "errorType:ErrorType errorMessage sessionId userFacingErrorMessage",
    "Status": "code:whole message",
    "ScenarioResult": "conversation task userFacts:fact[] expectationOutcomes:ScenarioEntry[]"
    " rubricOutcomes:RubricOutcome[]"
    " hallucinationResult:Judged[] taskCompletionResult:Judged userGoalSatisfactionResult:Judged"
    " allExpectationsSatisfied:bool taskCompleted:bool toolCallLatencies:ToolLatency[] spanLatencies:Latency[]"
    " evaluationExpectationResults:CriterionResult[]",
    "RubricOutcome": "rubric score:share scoreExplanation",
    "ScenarioEntry": "expectation:ScenarioExpectation outcome:Outcome"
    " <!observedToolCall:ObservedCall !observedAgentResponse:Message>",
    "ObservedCall": "!toolCall:ToolCall toolResponse:ToolResponse",
    "ScenarioExpectation": "<!toolExpectation:ToolExpectation !agentResponse:Message>",
    "ToolExpectation": "!expectedToolCall:ToolCall mockToolResponse:ToolResponse",
    "Message": "!role:role !chunks:Chunk[] eventTime:time",
    "Chunk": "<!text !text !transcript blob:Blob payload:struct image:Blob !toolCall:ToolCall"
    " !toolResponse:ToolResponse agentTransfer:Transfer updatedVariables:struct defaultVariables:struct>",
    "Blob": "mimeType data:bytes",
    "ToolCall": "id:id displayName args:struct <!tool:tool !tool:tool toolsetTool:ToolsetTool>",
    "ToolResponse": "id:id displayName response:response <!tool:tool !tool:tool toolsetTool:ToolsetTool>",
    "ToolsetTool": "toolset:toolset toolId:id",
    "Transfer": "targetAgent:agent displayName",
    "Persona": "name:agent displayName description personality speechConfig:Speech",
    "Speech": "speakingRate:share environment:Background voiceId",
    "Thresholds": "goldenEvaluationMetricsThresholds:GoldenThresholds goldenHallucinationMetricBehavior:Hallucinating"
    " scenarioHallucinationMetricBehavior:Hallucinating hallucinationMetricBehavior:Hallucinating",
    "GoldenThresholds": "turnLevelMetricsThresholds:TurnThresholds expectationLevelMetricsThresholds:EntryThresholds"
    " toolMatchingSettings:Matching",
    "TurnThresholds": "semanticSimilaritySuccessThreshold:whole overallToolInvocationCorrectnessThreshold:share"
    " semanticSimilarityChannel:Channel",
    "EntryThresholds": "toolInvocationParameterCorrectnessThreshold:share",
    "Matching": "extraToolCallBehavior:ExtraCalls",
    "Config": "goldenMetricsConfig:GoldenConfig scenarioMetricsConfig:ScenarioConfig",
    "GoldenConfig": "semanticSimilarityMetricsConfig:SimilaritySwitch toolCorrectnessMetricsConfig:ToolSwitch"
    " stepToolCorrectnessMetricsConfig:ToolSwitch",
    "ScenarioConfig": "userGoalMetMetricsConfig:GoalSwitch expectationsMetMetricsConfig:ExpectationsSwitch",
    "SimilaritySwitch": "enableSemanticSimilarityMetrics:bool",
    "HallucinationSwitch": "enableHallucinationMetrics:bool",
    "ToolSwitch": "enableToolCorrectnessMetrics:bool",
    "GoalSwitch": "enableUserGoalMetMetrics:bool",
    "ExpectationsSwitch": "enableExpectationsMetMetrics:bool",
    "Evaluation": "!name:evaluation displayName:title description tags[] evaluationDatasets[] createTime:time"
    " createdBy"
    " etag invalid:bool evaluationMetricsThresholdOverride:Thresholds evaluationMetricsConfigOverride:Config"
    " <!golden:Golden !golden:Golden !scenario:Scenario>",
    "Golden": "!turns:GoldenTurn[] evaluationExpectations:criterion[]",
    "GoldenTurn": "!steps:Step[] turnLevelMetricsThresholdsOverride:TurnThresholds"
    " hallucinationMetricBehaviorOverride:Hallucinating",
    "Step": "<!userInput:Input agentTransfer:Transfer !expectation:GoldenExpectation !expectation:GoldenExpectation>",
    "Input": "<!text !text dtmf audio:bytes toolResponses:Responses image:Blob blob:Blob variables:struct"
    " event:Event>"
    " willContinue:bool",
    "Responses": "toolResponses:ToolResponse[]",
    "Event": "!event",
    "GoldenExpectation": "note skipEvaluation:bool comparisonType:Comparison"
    " expectationLevelMetricsThresholdsOverride:EntryThresholds"
    " agentResponseSemanticSimilarityMetricsConfigOverride:SimilaritySwitch"
    " agentResponseHallucinationMetricsConfigOverride:HallucinationSwitch"
    " <!toolCall:ToolCall !toolCall:ToolCall !toolResponse:ToolResponse !agentResponse:Message agentTransfer:Transfer"
    " updatedVariables:struct mockToolResponse:ToolResponse noToolCalls:bool>",
    "Scenario": "!task userFacts:fact[] maxTurns:whole rubrics[] scenarioExpectations:ScenarioExpectation[]"
    " variableOverrides:struct userGoalBehavior:Goal evaluationExpectations:criterion[] scenarioExecutionMode:Mode",
    "EvaluationDataset": "!name:dataset displayName !evaluations:evaluation[] createTime:time etag createdBy",
    "EvaluationExpectation": "!name:criterion displayName tags[] createTime:time !llmCriteria:Llm",
    "Llm": "prompt",
    "Conversation": "!name:conversation startTime:time endTime:time !turns:Turn[] turnCount:whole source:Source"
    " entryAgent languageCode",
    "Turn": "!messages:Message[] rootSpan:Span",
    "Span": "name startTime:time endTime:time duration:duration attributes:struct childSpans:Span[]",
    "EvaluationRun": "!name:run displayName evaluationResults[] createTime:time !evaluationType:Type state:RunState"
    " !progress:Progress runCount:whole personaRunConfigs:PersonaRun[] goldenRunMethod:Method ?errorInfo:ErrorInfo"
    " latencyReport:LatencyReport",
    "Progress": "totalCount:whole completedCount:whole passedCount:whole failedCount:whole errorCount:whole",
    "PersonaRun": "persona:agent taskCount:whole",
    "LatencyReport": "toolLatencies:OneTool[] sessionCount:whole",
    "OneTool": "<tool:tool toolsetTool:ToolsetTool> toolDisplayName latencyMetrics:Percentiles",
    "Percentiles": "p50Latency:duration p90Latency:duration p99Latency:duration callCount:whole",
    "App": "!name:app displayName description !rootAgent !globalInstruction !evaluationMetricsThresholds:Thresholds"
    " !evaluationSettings:Settings evaluationPersonas:Persona[]",
    "Settings": "goldenRunMethod:Method scenarioExecutionMode:Mode metricsConfig:Config",
}

KINDS = ("EvaluationResult", "Evaluation", "Conversation", "EvaluationRun", "EvaluationDataset", "App")
KINDS_BY_WEIGHT = (*("EvaluationResult",) * 5, *("Evaluation",) * 4, *("Conversation",) * 2, *KINDS[3:])

_TOOLS = ("search", "book", "get_weather", "5f0f2e9e-9f5a-4c3a-8a88-0c9bd4c7a9b1", "näme")


def _resource(kind: str, *names: str, short: bool = True) -> Maker:
    def make(rng: random.Random) -> Json:
        name = rng.choice(names)
        return name if short and rng.random() < 0.3 else f"{APP}/{kind}/{name}"

    return make


def without_new_words(value: Json) -> Json:
    """A file without the words and numbers that no enumeration has."""
    if isinstance(value, list):
        return [without_new_words(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: without_new_words(item)
        for key, item in value.items()
        if not (key in _WORDS and isinstance(item, str | int) and item not in _WORDS[key])
    }


def _words() -> dict[str, set[str | int]]:
    """The values of each field that is an enumeration, in both spellings of its key."""
    found: dict[str, set[str | int]] = {}
    for key, kind in re.findall(r"(\w+):(\w+)", " ".join(MESSAGES.values())):
        if kind in ENUMS:
            names = [word.partition("=") for word in ENUMS[kind].split()]
            values = {name for name, _, _ in names} | {int(number or at) for at, (_, _, number) in enumerate(names)}
            for spelled in (key, snake(key)):
                found[spelled] = found.get(spelled, set()) | values
    return found


_WORDS = _words()

_GIVEN: tuple[Json, ...] = ("", "no", 3, None, 0.5, {"a": 1}, [], ["x", 1.5], False)


def _response(rng: random.Random) -> Json:
    made: JsonObject = {}
    for key in ("output", "error", "rows"):
        if rng.random() < 0.35:
            made[key] = rng.choice(_GIVEN)
    return made


MAKERS: dict[str, Maker] = {
    "result": lambda rng: f"{APP}/evaluations/{rng.choice(('seats', 'greet'))}/results/r{rng.randint(1, 3)}",
    "evaluation": _resource("evaluations", "seats", "greet", "b"),
    "dataset": _resource("evaluationDatasets", "all", "some", short=False),
    "criterion": _resource("evaluationExpectations", "polite", "brief"),
    "conversation": _resource("conversations", "talk-1", "talk-2", short=False),
    "run": _resource("evaluationRuns", "nightly", "once", short=False),
    "version": _resource("versions", "v1", "v2"),
    "app": lambda _rng: APP,
    "agent": _resource("agents", "clerk", "desk"),
    "tool": _resource("tools", *_TOOLS),
    "toolset": _resource("toolsets", "maps", "mail"),
    "title": lambda rng: rng.choice(("Seats", "Greet", "seats result - 1", "")),
    "id": lambda rng: rng.choice(("c1", "c2", "c3", "")),
    "response": _response,
    "fact": lambda rng: {"name": rng.choice(("seat", "row")), "value": text(rng, 3)},
    "role": lambda rng: rng.choice(("user", "user", "clerk", "agent", "")),
}


def random_file(rng: random.Random) -> JsonObject:
    """A message of any kind, with its name."""
    kind = rng.choice(KINDS_BY_WEIGHT)
    return {"kind": kind, "value": Messages(MESSAGES, ENUMS, MAKERS, rng).make(kind)}


def damaged_file(rng: random.Random) -> JsonObject:
    """A file with one value of a wrong kind, mostly; all else in it is known."""
    kind = rng.choice(KINDS_BY_WEIGHT)
    messages = Messages(MESSAGES, ENUMS, MAKERS, rng)
    messages.plain = True
    made = messages.make(kind)
    odd = copy.deepcopy(rng.choice(_ODD))
    owners = [owner for owner in _containers(made) if owner]
    if not owners or rng.random() < 0.25:
        return {"kind": kind, "value": made}
    owner = rng.choice(owners)
    if isinstance(owner, dict):
        owner[rng.choice([*owner])] = odd
    else:
        owner[rng.randrange(len(owner))] = odd
    return {"kind": kind, "value": made, "odd": odd}


_ODD: tuple[Json, ...] = (
    "yesterday", "3 seconds", "***", "NaN", "2.5", {}, {"od": 1}, [], ["odd"], [{"od": 1}], 0, 3, 2.5, -1, 7_777,
    2**40, True, False,
)  # fmt: skip


def _containers(value: Json) -> Iterator[JsonObject | list[Json]]:
    """Each message and list of them; what stands in arguments and the like may be anything."""
    if isinstance(value, list):
        yield value
        for item in value:
            yield from _containers(item)
    elif isinstance(value, dict):
        yield value
        for key, item in value.items():
            if camel(key) not in _FREE:
                yield from _containers(item)


_KINDS = re.findall(r"(\w+):(\w+)", " ".join(MESSAGES.values()))
_FREE = {"response", "futureField"} | {key for key, kind in _KINDS if kind == "struct"}
