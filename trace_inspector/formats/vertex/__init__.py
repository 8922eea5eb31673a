"""Vertex AI: eval items, datasets and results, in the folders below; here their rows. Imports spans and below."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import (
    All,
    AnyKey,
    Either,
    Has,
    Holds,
    Keys,
    Not,
    OneObject,
    an_object,
    first,
)
from trace_inspector.formats.vertex.common.recognisers import dataset, items, runs


def _item() -> Implementation:
    from trace_inspector.formats.vertex.item.item import IMPLEMENTATION

    return IMPLEMENTATION


def _dataset() -> Implementation:
    from trace_inspector.formats.vertex.item.dataset import IMPLEMENTATION

    return IMPLEMENTATION


def _result() -> Implementation:
    from trace_inspector.formats.vertex.result.result import IMPLEMENTATION

    return IMPLEMENTATION


def _run() -> Implementation:
    from trace_inspector.formats.vertex.run.evaluation_run import IMPLEMENTATION

    return IMPLEMENTATION


def _eval_config() -> Implementation:
    from trace_inspector.formats.vertex.run.eval_config import IMPLEMENTATION

    return IMPLEMENTATION


# A metric of agents-cli, by one of the three keys that define it.
_CUSTOM_METRIC = All(Keys("name"), AnyKey("prompt_template", "custom_function", "custom_function_file"))
_IN_WORDS = AnyKey("criteria", "target_score")


def _describes_metrics(fields: Fields) -> bool:
    """Metrics by name, each described in words, as some write configurations of their own."""
    named = fields.object("metrics")
    described = [value for value in named.value.values() if isinstance(value, dict)] if named is not None else []
    return bool(described) and all(_IN_WORDS(Fields(value, "")) for value in described)


FORMATS: tuple[Format, ...] = (
    Format(
        name="vertex-item",
        title="Vertex AI evaluation item",
        system="Vertex AI",
        short="evaluation items",
        holds="requests with the answers of several candidates, expected answers, rubrics, and reported scores",
        recognise=items,
        load=_item,
        writes=True,
        edits=True,
        edits_goldens=True,
    ),
    Format(
        name="vertex-dataset",
        title="Vertex AI evaluation dataset",
        system="Vertex AI",
        short="evaluation datasets",
        holds="prompts, expected answers, recorded conversations and responses",
        recognise=dataset,
        load=_dataset,
    ),
    Format(
        name="vertex-result",
        title="Vertex AI evaluation result",
        system="Vertex AI",
        short="evaluation results",
        holds="reported scores with their reasons, and the responses they are about",
        recognise=OneObject(
            (70, All(Not(Has("eval_case_results")), first("summary_metrics", Has("metric_name")))),
            (0, Not(Holds("eval_case_results", list))),
            (96, first("eval_case_results", Has("response_candidate_results"))),
            (0, first("eval_case_results", an_object)),
            (70, Has("summary_metrics", "evaluation_dataset", "win_rates")),
        ),
        load=_result,
    ),
    Format(
        name="vertex-run",
        title="Vertex AI evaluation run",
        system="Vertex AI",
        short="evaluation runs and sets",
        holds="runs with their states and figures, sets of items, clusters of failures",
        recognise=runs,
        load=_run,
    ),
    Format(
        name="agents-cli-config",
        title="agents-cli evaluation configuration",
        system="Vertex AI",
        short="evaluation configurations of agents-cli",
        holds="criteria: which metrics are run, with the prompts of custom judges",
        recognise=OneObject(
            (92, first("custom_metrics", _CUSTOM_METRIC)),
            (85, Holds("metrics_to_run", list)),
            (58, Either(_describes_metrics, first("eval_metrics", All(Keys("name"), _IN_WORDS)))),
        ),
        load=_eval_config,
        edits=True,
    ),
)
