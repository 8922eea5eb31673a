"""What of a recorded run can become an expectation: EXPECTATIONS is the one list, with words for people."""

from __future__ import annotations

from msgspec import Struct

_ADK, _CES, _VERTEX = "adk-eval-set", "ces-evaluation", "vertex-item"


class ExpectationKind(Struct, frozen=True):
    """One line of EXPECTATIONS. `formats` are those that have a place for it; empty for all."""

    name: str
    title: str
    means: str
    formats: tuple[str, ...] = ()
    needs: str = ""  # another one, without which this is not taken


EXPECTATIONS: tuple[ExpectationKind, ...] = (
    ExpectationKind(
        "calls",
        "Tool calls",
        "Each turn is to call the same tools with the same arguments. Without this, any calls are right.",
    ),
    ExpectationKind("answers", "Answers", "Each turn is to end with this answer. Without this, any answer is right."),
    ExpectationKind(
        "results",
        "Results of calls",
        "What the tools answered stands beside the calls, for people and judges to read. It is not compared.",
        (_ADK, _VERTEX),
        "calls",
    ),
    ExpectationKind(
        "mocks",
        "Results as mocks",
        "When the golden is run, the tools answer what they answered here.",
        (_CES,),
        "calls",
    ),
    ExpectationKind(
        "transfers",
        "Transfers",
        "The conversation is to be handed to the same agents.",
        needs="calls",
    ),
    ExpectationKind(
        "said",
        "Words in between",
        "What agents said before their answer. Only criteria that read it compare it.",
        needs="calls",
    ),
    ExpectationKind("session", "App and user", "For which app and which user the conversation is held.", (_ADK,)),
    ExpectationKind(
        "state",
        "State at the start",
        "The conversation starts with the session state that was there before its first turn.",
        (_ADK, _CES),
    ),
    ExpectationKind(
        "final_state",
        "State at the end",
        "The session is to end in the state in which it ended here.",
        (_ADK, _CES),
    ),
    ExpectationKind(
        "agents",
        "Agents",
        "Instructions and tools of the agents, for judges and for checks of the calls.",
        (_ADK, _VERTEX),
    ),
    ExpectationKind(
        "figures",
        "Ids, times, tokens and models",
        "What the run reported about itself. It is not compared.",
        (_ADK,),
    ),
    ExpectationKind("note", "Where it comes from", "A note at the golden names the run and the file.", (_ADK,)),
    ExpectationKind("description", "Where it comes from", "The description names the run and the file.", (_CES,)),
)


def default_expectations(format_name: str) -> frozenset[str]:
    """The expectations that a golden of a format gets by default: all that the format has a place for."""
    return frozenset(kind.name for kind in EXPECTATIONS if not kind.formats or format_name in kind.formats)


def without_unmet_needs(wants: frozenset[str]) -> frozenset[str]:
    """The chosen names, without those that need another one that is not chosen."""
    return frozenset(
        kind.name for kind in EXPECTATIONS if kind.name in wants and (not kind.needs or kind.needs in wants)
    )
