"""google-adk: sessions, eval sets and results, in the folders below; here their rows. Imports writing and below."""

from __future__ import annotations

from trace_inspector.formats.adk.common.recognisers import eval_config, result_in_a_text, session_tables, sessions
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import (
    All,
    AnyKey,
    Best,
    Either,
    Has,
    Holds,
    Keys,
    Not,
    OneObject,
    Rules,
    Some,
    Surest,
    Within,
    an_object,
    first,
)


def _eval_set() -> Implementation:
    from trace_inspector.formats.adk.eval_set.eval_set import IMPLEMENTATION

    return IMPLEMENTATION


def _legacy() -> Implementation:
    from trace_inspector.formats.adk.eval_set.legacy import IMPLEMENTATION

    return IMPLEMENTATION


def _session() -> Implementation:
    from trace_inspector.formats.adk.session.session import IMPLEMENTATION

    return IMPLEMENTATION


def _session_db() -> Implementation:
    from trace_inspector.formats.adk.session.session_db import IMPLEMENTATION

    return IMPLEMENTATION


def _conformance() -> Implementation:
    from trace_inspector.formats.adk.session.conformance import IMPLEMENTATION

    return IMPLEMENTATION


def _eval_config() -> Implementation:
    from trace_inspector.formats.adk.eval_set.eval_config import IMPLEMENTATION

    return IMPLEMENTATION


def _eval_result() -> Implementation:
    from trace_inspector.formats.adk.result.eval_result import IMPLEMENTATION

    return IMPLEMENTATION


_CASE = Has("eval_id", "case_id", "conversation", "conversation_scenario", "actual_conversation")
# Keys by which Vertex's evaluation datasets and results, which have `eval_cases` and `eval_case_results` too, are
# told apart.
_VERTEX_CASE = AnyKey("eval_case_id", "prompt", "responses", "response", "agent_data")
_VERTEX_RESULT = Has("summary_metrics", "evaluation_dataset")
_RECORDING = All(Has("user_message_index"), Has("llm_recording", "tool_recording"))
_CASE_RESULT = Has("eval_id", "final_eval_status", "overall_eval_metric_results")
# Lists of tasks for coding agents ask for a patch of a repository, in a `query` as well.
# What an optimiser measured: case results by case, alone or in its report.
_MEASURED = All(Has("phase"), Holds("eval_results_by_eval_id", dict))
_ASKING = All(Holds("query", str), Not(AnyKey("instance_id", "repo", "base_commit", "patch")))
_OLDER_TURN = All(_ASKING, Has("expected_tool_use", "reference", "expected_intermediate_agent_responses"))
_OLDER_CASE = All(Holds("data", list), Not(Keys("query")), Keys("name"))

FORMATS: tuple[Format, ...] = (
    Format(
        name="adk-eval-set",
        title="ADK eval set",
        system="ADK",
        short="eval sets",
        holds="goldens: scripted conversations and scenarios",
        recognise=OneObject(
            (95, All(first("eval_cases", _CASE), Has("eval_set_id"))),
            (80, first("eval_cases", _CASE)),
            (0, first("eval_cases", _VERTEX_CASE)),
            (40, first("eval_cases", an_object)),
            (90, All(Holds("eval_cases", list), Has("eval_set_id"))),
            (20, Holds("eval_cases", list)),
            (85, Some("scenarios", Has("starting_prompt"), of=None)),
        ),
        load=_eval_set,
        writes=True,
        edits=True,
        edits_goldens=True,
        anywhere=True,
    ),
    Format(
        name="adk-legacy",
        title="ADK evaluation file, older form",
        system="ADK",
        short="older eval files",
        holds="goldens: scripted conversations",
        recognise=Best(
            Rules(
                (85, All(_OLDER_CASE, Some("data", _OLDER_TURN, of=None))),
                (30, All(_OLDER_CASE, Either(Not(first("data", an_object)), Some("data", _ASKING, of=None)))),
                (0, _OLDER_CASE),
                (85, _OLDER_TURN),
                (30, _ASKING),
            ),
            of=None,
        ),
        load=_legacy,
    ),
    Format(
        name="adk-session",
        title="ADK session",
        system="ADK",
        short="sessions",
        holds="a recorded conversation with its state",
        recognise=sessions,
        load=_session,
        writes=True,
    ),
    Format(
        name="adk-session-db",
        title="ADK session database",
        system="ADK",
        short="session databases",
        holds="recorded conversations with their states",
        recognise=session_tables,
        load=_session_db,
    ),
    Format(
        name="adk-conformance",
        title="ADK conformance test",
        system="ADK",
        short="conformance tests",
        holds="goldens: what a user says, and recordings of what models and tools answered",
        recognise=OneObject(
            (92, first("recordings", _RECORDING)),
            (80, All(Holds("agent", str), Holds("user_messages", list), Keys("description"))),
        ),
        load=_conformance,
    ),
    Format(
        name="adk-eval-config",
        title="ADK eval configuration",
        system="ADK",
        short="test configs",
        holds="criteria: metrics with thresholds and options",
        recognise=eval_config,
        load=_eval_config,
        writes=True,
        edits=True,
    ),
    Format(
        name="adk-eval-result",
        title="ADK evaluation result",
        system="ADK",
        short="eval history",
        holds="recorded conversations, what was expected of them, and reported verdicts",
        recognise=Surest(
            OneObject(
                (0, Either(Not(Holds("eval_case_results", list)), _VERTEX_RESULT)),
                (95, first("eval_case_results", _CASE_RESULT)),
                (90, All(Has("eval_set_result_id"), Not(first("eval_case_results", an_object)))),
            ),
            result_in_a_text,
            OneObject((88, _MEASURED), (86, Within("baseline_train", _MEASURED))),
        ),
        load=_eval_result,
        writes=True,
        anywhere=True,
    ),
)
