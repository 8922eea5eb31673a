"""How CES's documents are recognised: what an object of each kind has, alone, in a list, or in a service's reply."""

from __future__ import annotations

from collections.abc import Mapping

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.recogniser import (
    All,
    Condition,
    Either,
    Has,
    Holds,
    Listed,
    Not,
    Rules,
    Surest,
    Within,
    first,
)

AGENTS, TOOLS, PERSONAS = "agents", "tools", "evaluationPersonas"
APPS, EXAMPLES, VERSIONS = "apps", "examples", "app_versions"
TURN_RESULTS = "turn_replay_results"


class InApp:
    """A name is that of a resource of an app, of this kind; other services have kinds of the same name."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __call__(self, fields: Fields) -> bool:
        """Whether it is."""
        _before, app, rest = (fields.text("name") or "").partition("/apps/")
        return bool(app) and f"/{self.kind}/" in rest


class Path:
    """A name ends in a folder and an id, perhaps within an app."""

    def __init__(self, folder: str, *, of_an_app: bool = False) -> None:
        self.folder = folder
        self.of_an_app = of_an_app

    def __call__(self, fields: Fields) -> bool:
        """Whether it does."""
        steps = (fields.text("name") or "").split("/")
        return len(steps) > 1 and steps[-2] == self.folder and (APPS in steps or not self.of_an_app)


def _all_texts(fields: Fields) -> bool:
    listed = fields.get("evaluations")
    return isinstance(listed, list) and all(isinstance(item, str) for item in listed)


def _has_chunks(fields: Fields) -> bool:
    """Messages with chunks, in the first turns or beside each other."""
    turns, messages = fields.objects("turns"), fields.objects("messages")
    if turns and all(isinstance(turn.get("messages"), list) for turn in turns[:8]):
        messages = [message for turn in turns[:8] for message in turn.objects("messages")[:8]]
    return bool(messages) and all(isinstance(message.get("chunks"), list) for message in messages[:8])


EVALUATIONS = Listed(
    "evaluations",
    Rules(
        (92, Within("golden", Either(Holds("turns", list), Has("evaluation_expectations")))),
        (
            92,
            Within("scenario", Has("task", "user_facts", "scenario_expectations", "user_goal_behavior", "max_turns")),
        ),
        (70, Path("evaluations")),
    ),
)


def _empty_list(value: Json) -> int:
    return 30 if value == {"evaluations": []} else 0


EVALUATION_FILES = Surest(EVALUATIONS, _empty_list)
DATASETS = Listed(
    "evaluation_datasets",
    Rules(
        (92, Path("evaluationDatasets")),
        (0, Not(_all_texts)),
        (0, Has("state", "evaluation_results", "evaluation_type", "progress", "golden", "scenario")),
        (75, Has("display_name")),
    ),
)
EXPECTATIONS = Listed("evaluation_expectations", Rules((90, Holds("llm_criteria", dict))))
RESULTS = Listed(
    "evaluation_results",
    Rules(
        (95, Either(Holds("golden_result", dict), Holds("scenario_result", dict), Holds(TURN_RESULTS, list))),
        (90, All(InApp("evaluations"), InApp("results"))),
        (60, Has("evaluation_status", "execution_state", "evaluation_run", least=2)),
    ),
)
CONVERSATIONS = Listed(
    "conversations",
    Rules(
        (92, All(InApp("conversations"), Either(Holds("turns", list), Holds("messages", list)))),
        (75, InApp("conversations")),
        (85, _has_chunks),
    ),
)
_OF_A_RUN = ("progress", "evaluation_run_summaries", "latency_report", "evaluation_type", "run_count")
RUNS = Listed(
    "evaluation_runs",
    Rules(
        (92, All(InApp("evaluationRuns"), Has(*_OF_A_RUN))),
        (75, InApp("evaluationRuns")),
        (80, Has(*_OF_A_RUN, least=2)),
    ),
)
# The keys of a request alone; a run that took place has some of them too, and those of its execution.
_ASKING = (
    "app", "generate_latency_report", "evaluation_run_caching_settings", "persona_run_configs", "run_count",
    "golden_run_method", "optimization_config", "scheduled_evaluation_run",
)  # fmt: skip
TO_RUN = ("evaluations", "evaluation_dataset")
RUN_REQUESTS = Listed(
    "scheduled_evaluation_runs",
    Rules(
        (92, InApp("scheduledEvaluationRuns")),
        (85, All(Holds("scheduling_config", dict), Holds("request", dict))),
        (0, Has("name", "state", "progress", "evaluation_results", "evaluation_run_summaries", "latency_report")),
        (82, All(Has(*_ASKING), Has(*TO_RUN))),
    ),
)

APP_FILES = ("app.json", "app.yaml", "app.yml")
# An object with two of these is an app; no other resource has any of them.
IS_APP = Has(
    "root_agent", "variable_declarations", "evaluation_metrics_thresholds", "evaluation_settings",
    "evaluation_personas", "tool_execution_mode", "language_settings", "time_zone_settings",
    "audio_processing_config", "logging_settings", "default_channel_profile", "data_store_settings",
    "error_handling_settings", "global_instruction",
    least=2,
)  # fmt: skip


def is_bundle(value: Mapping[str, Json]) -> bool:
    """Whether an object is the files of an app by name."""
    return any(name in value for name in APP_FILES) and any(name.count("/") >= 1 for name in value)


def is_app_bundle(fields: Fields) -> bool:
    """The same of a document."""
    return is_bundle(fields.value)


# What a tool is made of, and where its parameters stand.
TOOL_KINDS: Mapping[str, str] = {
    "python_function": "",
    "client_function": "parameters",
    "widget_tool": "parameters",
    "mcp_tool": "input_schema",
    "open_api_tool": "",
    "data_store_tool": "",
    "google_search_tool": "",
    "connector_tool": "",
    "file_search_tool": "",
    "system_tool": "",
    "agent_tool": "",
    "remote_agent_tool": "",
}


def _is_called(fields: Fields) -> bool:
    return any(fields.text(name) for name in ("name", "display_name"))


def _kind(listed: str, folder: str, *rules: tuple[int, Condition]) -> ResourceKind:
    all_rules = Rules((86, Path(folder, of_an_app=True)), (0, Not(_is_called)), *rules)
    return ResourceKind(folder, Listed(listed, all_rules))


class ResourceKind:
    """One kind of resource: its folder in resource names, and how one or a list of it is recognised."""

    def __init__(self, folder: str, recognise: Listed) -> None:
        self.folder = folder
        self.recognise = recognise

    @property
    def listed(self) -> str:
        """The list of the service's reply in which they stand."""
        return self.recognise.name


# A conversation to learn from: it has a title and no time, unlike one that took place. Surer than that it is one.
_EXAMPLE = All(
    first("messages", Has("chunks")),
    Holds("display_name", str),
    Not(Has("turns", "start_time", "end_time", "turn_count")),
)
_OF_AN_AGENT = Has(
    "instruction", "child_agents", "llm_agent", "remote_dialogflow_agent", "before_agent_callbacks",
    "after_agent_callbacks", "before_model_callbacks", "after_model_callbacks", "before_tool_callbacks",
    "after_tool_callbacks", "transfer_rules",
)  # fmt: skip
_OF_A_GUARDRAIL = Has("content_filter", "llm_prompt_security", "llm_policy", "model_safety", "code_callback")
RESOURCE_KINDS = (
    _kind(APPS, APPS, (68, IS_APP)),
    _kind(AGENTS, AGENTS, (68, _OF_AN_AGENT)),
    _kind(TOOLS, TOOLS, (68, Has(*TOOL_KINDS))),
    _kind("toolsets", "toolsets", (68, Has("open_api_toolset", "mcp_toolset", "connector_toolset"))),
    _kind("guardrails", "guardrails", (68, _OF_A_GUARDRAIL)),
    _kind(EXAMPLES, EXAMPLES, (87, _EXAMPLE), (68, Has("entry_agent"))),
    _kind(VERSIONS, "versions", (68, Has("snapshot"))),
    _kind("deployments", "deployments", (68, Has("channel_profile"))),
    _kind("changelogs", "changelogs", (68, Has("original_resource", "new_resource"))),
    _kind("evaluation_personas", PERSONAS, (68, Has("personality", "speech_config"))),
)
RESOURCES = Surest(*(kind.recognise for kind in RESOURCE_KINDS))
