"""Tests and reports of SCRAPI; here their rows. Imports ces and below."""

from __future__ import annotations

from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import OneObject, Some
from trace_inspector.formats.scrapi.recognisers import (
    CONVERSATION,
    REFERENCE,
    SIMULATION,
    SINGLE_TURN,
    TOOL_TEST,
    results,
)


def _tests() -> Implementation:
    from trace_inspector.formats.scrapi.format import IMPLEMENTATION

    return IMPLEMENTATION


def _results() -> Implementation:
    from trace_inspector.formats.scrapi.result import IMPLEMENTATION

    return IMPLEMENTATION


FORMATS: tuple[Format, ...] = (
    Format(
        name="scrapi",
        title="SCRAPI tests for CX Agent Studio",
        system="CES",
        short="SCRAPI's goldens, simulations and tests",
        holds="goldens: scripted conversations, scenarios, single turns and tools",
        recognise=OneObject(
            (70, REFERENCE),
            (92, Some("conversations", CONVERSATION)),
            (90, Some("conversations", SINGLE_TURN)),
            (88, Some("evals", SIMULATION)),
            (85, Some("tests", TOOL_TEST)),
        ),
        load=_tests,
    ),
    Format(
        name="scrapi-result",
        title="SCRAPI results for CX Agent Studio",
        system="CES",
        short="SCRAPI's results",
        holds="reported verdicts, and the conversations they are about",
        recognise=results,
        load=_results,
    ),
)
