"""Calibrations for programs: the keys are those of the contract."""

from __future__ import annotations

import json
from collections.abc import Iterable

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.calibration.calibration import Calibration, Compared
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.calibration.paired import Rejudged
from trace_inspector.engine.reports.calibration.words import verdict_word


def calibrations_json(calibrations: Iterable[Calibration]) -> JsonObject:
    """All of them."""
    return {"questions": [_question(each) for each in calibrations]}


def _question(found: Calibration) -> JsonObject:
    counts, agreement, judge = found.agreement.counts, found.agreement, found.judge
    return {
        "question": found.question,
        "level": found.level.value,
        "judge": {
            "model": judge.model,
            "parameters": None if judge.parameters is None else json.loads(judge.parameters),
            "prompt": judge.prompt,
            "rubric": judge.rubric,
            "samples": judge.samples,
            "provenance": judge.provenance,
            "digest": judge.digest,
        },
        "n": found.compared,
        "judged": counts.judged,
        "raters": found.labels.raters,
        "unsure": found.labels.unsure,
        "not_blind": found.labels.not_blind,
        "undecided": found.labels.undecided,
        "split": found.labels.split.value,
        "left_out": found.labels.left_out,
        "confusion": {"tp": counts.tp, "fp": counts.fp, "fn": counts.fn, "tn": counts.tn},
        "sensitivity": estimate_json(agreement.sensitivity),
        "specificity": estimate_json(agreement.specificity),
        "precision": estimate_json(agreement.precision),
        "accuracy": estimate_json(agreement.accuracy),
        "kappa": estimate_json(agreement.kappa),
        "ac1": estimate_json(agreement.ac1),
        "alpha": None if found.alpha.value is None else estimate_json(found.alpha),
        "base_rate": agreement.base_rate,
        "raw_pass_rate": found.rates.raw,
        "corrected": {
            "rogan_gladen": estimate_json(found.rates.rogan_gladen),
            "ppi": estimate_json(found.rates.ppi),
            "labels_drawn_at_random": found.rates.drawn_at_random,
        },
        "labels_needed": {
            "at_random": found.needed.at_random,
            "of_failed": found.needed.of_failed,
            "of_passed": found.needed.of_passed,
            "reason": found.needed.reason,
        },
        "escalation": _escalation(found),
        "rejudged": None if found.rejudged is None else _rejudged(found.rejudged),
        "stale": bool(found.stale),
        "stale_reason": found.stale,
        "notes": [*found.notes],
        "disagreements": [_disagreement(each) for each in found.disagreements],
    }


def estimate_json(found: Estimate) -> JsonObject:
    """An estimate; where there is no interval, or no figure, the reason is told."""
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "interval": found.method,
        **({"reason": found.reason} if found.reason else {}),
    }


def _escalation(found: Calibration) -> Json:
    each = found.escalation
    if each is None:
        return None
    return {
        "promised": each.promised,
        "threshold": each.threshold,
        "decided": each.decided,
        "queued": each.queued,
        "reason": each.reason,
    }


def _rejudged(found: Rejudged) -> JsonObject:
    """Both judges on the same outputs: right or wrong before and after, and McNemar's exact test."""
    return {
        "both_right": found.both_right,
        "only_before": found.only_before,
        "only_after": found.only_after,
        "both_wrong": found.both_wrong,
        "p": found.chance,
    }


def _disagreement(each: Compared) -> JsonObject:
    notes: list[Json] = [{"rater": rater, "note": note} for rater, note in each.notes]
    return {
        "subject": each.output.subject,
        "place": each.output.place,
        "judge": verdict_word(each.output.failed),
        "people": verdict_word(each.people_failed),
        "judge_reason": each.output.reason,
        "people_notes": notes,
    }
