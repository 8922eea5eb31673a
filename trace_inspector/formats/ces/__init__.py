"""Customer Engagement Suite: apps, evaluations, results and runs, in the folders below; here their rows.

Imports vertex and below.
"""

from __future__ import annotations

from trace_inspector.formats.ces.common import recognisers as kinds
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import Best, Keys, OneObject, Rules


def _app() -> Implementation:
    from trace_inspector.formats.ces.app.app import IMPLEMENTATION

    return IMPLEMENTATION


def _resource() -> Implementation:
    from trace_inspector.formats.ces.app.resource import IMPLEMENTATION

    return IMPLEMENTATION


def _result() -> Implementation:
    from trace_inspector.formats.ces.result.result import IMPLEMENTATION

    return IMPLEMENTATION


def _run() -> Implementation:
    from trace_inspector.formats.ces.run.run import IMPLEMENTATION

    return IMPLEMENTATION


def _run_request() -> Implementation:
    from trace_inspector.formats.ces.run.run_request import IMPLEMENTATION

    return IMPLEMENTATION


def _conversation() -> Implementation:
    from trace_inspector.formats.ces.result.conversation import IMPLEMENTATION

    return IMPLEMENTATION


def _evaluation() -> Implementation:
    from trace_inspector.formats.ces.evaluation.evaluation import IMPLEMENTATION

    return IMPLEMENTATION


def _golden_csv() -> Implementation:
    from trace_inspector.formats.ces.evaluation.evaluation_csv import IMPLEMENTATION

    return IMPLEMENTATION


def _dataset() -> Implementation:
    from trace_inspector.formats.ces.evaluation.dataset import IMPLEMENTATION

    return IMPLEMENTATION


def _expectation() -> Implementation:
    from trace_inspector.formats.ces.common.expectation import IMPLEMENTATION

    return IMPLEMENTATION


FORMATS: tuple[Format, ...] = (
    Format(
        name="ces-app",
        title="CES app",
        system="CES",
        short="apps",
        holds="agents with instructions and tools, evaluations as goldens, personas and thresholds",
        recognise=OneObject((99, kinds.is_app_bundle), (90, kinds.IS_APP)),
        load=_app,
    ),
    Format(
        name="ces-resource",
        title="CES resource",
        system="CES",
        short="agents, tools, guardrails, versions and other resources",
        holds="agents with their instructions, and other resources as they stand",
        recognise=kinds.RESOURCES,
        load=_resource,
    ),
    Format(
        name="ces-result",
        title="CES evaluation result",
        system="CES",
        short="evaluation results",
        holds="reported verdicts, expectation by expectation, and what was observed",
        recognise=kinds.RESULTS,
        load=_result,
        anywhere=True,
    ),
    Format(
        name="ces-run",
        title="CES evaluation run",
        system="CES",
        short="evaluation runs",
        holds="what was run and how far it came, with counts and latencies",
        recognise=kinds.RUNS,
        load=_run,
        anywhere=True,
    ),
    Format(
        name="ces-run-request",
        title="CES run request",
        system="CES",
        short="requests for evaluation runs and their schedules",
        holds="what is to be run and how often",
        recognise=kinds.RUN_REQUESTS,
        load=_run_request,
        anywhere=True,
    ),
    Format(
        name="ces-conversation",
        title="CES conversation",
        system="CES",
        short="conversations",
        holds="recorded conversations, turn by turn with their spans",
        recognise=kinds.CONVERSATIONS,
        load=_conversation,
        anywhere=True,
    ),
    Format(
        name="ces-evaluation",
        title="CES evaluation",
        system="CES",
        short="evaluations",
        holds="goldens: scripted conversations with expectations step by step, and scenarios",
        recognise=kinds.EVALUATION_FILES,
        load=_evaluation,
        writes=True,
        edits=True,
        edits_goldens=True,
    ),
    Format(
        name="ces-golden-csv",
        title="CES table of goldens",
        system="CES",
        short="tables of goldens",
        holds="goldens as rows: evaluations with their turns, every row as it stands",
        recognise=Best(Rules((90, Keys("display_name", "turn_index", "action_type"))), of=1),
        load=_golden_csv,
    ),
    Format(
        name="ces-dataset",
        title="CES evaluation dataset",
        system="CES",
        short="evaluation datasets",
        holds="the names of evaluations that are run together",
        recognise=kinds.DATASETS,
        load=_dataset,
    ),
    Format(
        name="ces-expectation",
        title="CES evaluation expectation",
        system="CES",
        short="evaluation expectations",
        holds="criteria in a sentence, which a judge decides",
        recognise=kinds.EXPECTATIONS,
        load=_expectation,
    ),
)
