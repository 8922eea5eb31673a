"""Checks criteria files by the rules of google-adk 2.13: known metrics, values, options, simulators."""

from __future__ import annotations

import difflib

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.adk.common import schemas
from trace_inspector.formats.common.fields import Fields, Report, kind_of, number_of
from trace_inspector.formats.common.schema import check

_MATCH_TYPES = ("EXACT", "IN_ORDER", "ANY_ORDER")
_SIMULATORS = ("llm_backed", "llm_audio")
_COUNTS = ("num_samples", "parallelism_limit")


def check_name(metric: str, custom: frozenset[str], place: str, report: Report) -> None:
    """An unknown metric makes the whole run fail there, and so does an efficiency metric with a threshold."""
    if metric in schemas.EFFICIENCY:
        message = f"google-adk 2.13 always reports “{metric}” and rejects a threshold for it. Remove the threshold."
        report.add(warning("takes-no-threshold", message, place))
    elif metric not in schemas.METRICS | custom:
        near = difflib.get_close_matches(metric[:100], sorted(schemas.METRICS), n=1)
        hint = f" Is “{near[0]}” meant?" if near else ""
        message = f"google-adk 2.13 has no metric “{metric}”, and “custom_metrics” names none.{hint}"
        report.add(warning("unknown-metric", message, place))


def check_options(fields: Fields, report: Report) -> None:
    """Check the options of one criterion by the metrics that use them."""
    flag = fields.get("include_intermediate_responses_in_final")
    if flag is not ABSENT and not isinstance(flag, bool):
        message = f"This should be true or false, not {kind_of(flag)}; google-adk 2.13 may reject the file."
        report.add(error("wrong-type", message, fields.pointer("include_intermediate_responses_in_final")))
    _check_match_type(fields, report)
    judge = fields.object("judge_model_options")
    if judge is not None:
        # Keys that say where calls go have a finding of their own.
        others = {key: value for key, value in judge.value.items() if key not in schemas.ENDPOINT_KEYS}
        check(Fields(others, judge.place), schemas.JUDGE_MODEL_OPTIONS, report)
        for name in _COUNTS:
            count = judge.number(name)
            if count is not None and count < 1:
                message = f"“{judge.key(name)}” must be 1 or more; google-adk 2.13 rejects {count:g}."
                report.add(error("out-of-range", message, judge.pointer(name)))
    for rubric in fields.objects("rubrics"):
        check(rubric, schemas.RUBRIC, report)


def _check_match_type(fields: Fields, report: Report) -> None:
    stated = fields.get("match_type")
    if isinstance(stated, str):
        is_known = stated.strip().upper().replace("-", "_").replace(" ", "_") in _MATCH_TYPES
    else:
        is_known = stated is ABSENT or number_of(stated) in (0, 1, 2)
    if not is_known:
        message = "This match type is unknown; google-adk 2.13 expects EXACT, IN_ORDER or ANY_ORDER (or 0, 1, 2)."
        report.add(warning("unknown-word", message, fields.pointer("match_type")))


def check_rest(config: Fields, report: Report) -> None:
    """Check custom metrics and the simulated user."""
    custom = config.object("custom_metrics")
    for metric, raw in (custom.value if custom else {}).items():
        stated = Fields({metric: raw}, custom.place if custom else "").object(metric)
        code = stated.object("code_config") if stated else None
        if code is None or code.text("name") is None:
            message = f"The custom metric “{metric}” needs “code_config” with the “name” of a function."
            report.add(error("missing-field", message, stated.place if stated else config.pointer("custom_metrics")))
    simulator = config.object("user_simulator_config")
    kind: Json = None if simulator is None or simulator.get("type") is ABSENT else simulator.value["type"]
    if simulator is not None and kind is not None and kind not in _SIMULATORS:
        message = (
            "google-adk 2.13 does not know this simulated user, and rejects the file; write "
            f"{' or '.join(_SIMULATORS)}."
        )
        report.add(error("unknown-word", message, simulator.pointer("type")))
    for name in ("custom_metrics", "user_simulator_config", "live_model_config"):
        if config.object(name) is not None:
            message = f"“{config.key(name)}” stays in the file, but Trace Inspector does not use it."
            report.add(info("not-used", message, config.pointer(name)))
