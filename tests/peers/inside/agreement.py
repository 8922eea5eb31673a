"""A judge beside people by scikit-learn, statsmodels, scipy, krippendorff, irrCAC, ppi-python and judgy."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from judgy import estimate_success_rate
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy.stats import binomtest
from sklearn import metrics
from statsmodels.api import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.power import normal_power
from statsmodels.stats.proportion import proportion_confint

from tests.peers.inside.serving import serve

_DIGITS = 15  # irrCAC rounds to 5 unless it is told


def table(case: Any) -> Any:
    """Everything that is told of one confusion matrix, and of the verdicts on outputs without a label."""
    (tp, fp, fn, tn), (failed, passed) = case["table"], case["others"]
    people = np.array([1] * tp + [0] * fp + [1] * fn + [0] * tn)
    judge = np.array([1] * (tp + fp) + [0] * (fn + tn))
    others = np.array([1] * failed + [0] * passed)
    return {
        "matrix": metrics.confusion_matrix(people, judge, labels=[1, 0]).ravel().tolist(),
        "sensitivity": number(lambda: metrics.recall_score(people, judge, zero_division=math.nan)),
        "specificity": number(lambda: metrics.recall_score(people, judge, pos_label=0, zero_division=math.nan)),
        "precision": number(lambda: metrics.precision_score(people, judge, zero_division=math.nan)),
        "accuracy": number(lambda: metrics.accuracy_score(people, judge)),
        "sensitivity by statsmodels": numbers(lambda: proportion_confint(tp, tp + fn, method="beta")),
        "specificity by statsmodels": numbers(lambda: proportion_confint(tn, tn + fp, method="beta")),
        "accuracy by scipy": numbers(lambda: exact(tp + tn, len(people))),
        "kappa by scikit-learn": number(lambda: metrics.cohen_kappa_score(people, judge, labels=[1, 0])),
        "kappa by statsmodels": numbers(lambda: fleiss([[tp, fn], [fp, tn]])),
        "ac1": numbers(lambda: gwet(np.stack([people, judge], axis=1), "gwet")),
        "ppi": numbers(lambda: prediction_powered(1 - people, 1 - judge, 1 - others)),
        "rogan_gladen": number(lambda: corrected(1 - people, 1 - judge, 1 - others)),
    }


def raters(case: Any) -> Any:
    """Agreement of any number of raters: a row for each output, None where somebody said nothing."""
    ratings = np.array([[math.nan if each is None else each for each in row] for row in case], dtype=float)
    return {
        "krippendorff": number(
            lambda: krippendorff.alpha(reliability_data=ratings.T, level_of_measurement="nominal")
        ),
        "irrCAC": numbers(lambda: gwet(ratings, "krippendorff")),
    }


def pairs(case: Any) -> Any:
    """McNemar's test, a mean with a standard error by cluster, and the power of a difference."""
    before, after, values, clusters = case["before"], case["after"], case["values"], case["clusters"]
    unlike = [[0, before], [after, 0]]
    return {
        "mcnemar": number(lambda: mcnemar(unlike, exact=True).pvalue),
        "mean": numbers(lambda: clustered(values, clusters)),
        "power": number(lambda: normal_power(case["difference"], case["cases"], 0.05)),
    }


def exact(count: int, of: int) -> Any:
    found = binomtest(count, of).proportion_ci(method="exact")
    return found.low, found.high


def fleiss(counts: Any) -> Any:
    found = cohens_kappa(counts)
    return found.kappa, found.kappa_low, found.kappa_upp


def gwet(ratings: Any, which: str) -> Any:
    frame = pd.DataFrame(ratings, dtype=float)
    found = getattr(CAC(frame, categories=[0.0, 1.0], digits=_DIGITS), which)()["est"]
    return found["coefficient_value"], *found["confidence_interval"]


def prediction_powered(people: Any, judge: Any, others: Any) -> Any:
    own = (people.astype(float), judge.astype(float), others.astype(float))
    low, high = ppi_mean_ci(*own, alpha=0.05)
    return ppi_mean_pointestimate(*own), low, high


def corrected(people: Any, judge: Any, others: Any) -> Any:
    return estimate_success_rate(people, judge, others, bootstrap_iterations=50)[0]


def clustered(values: Any, clusters: Any) -> Any:
    fitted = OLS(np.array(values), np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(clusters)}, use_t=True
    )
    return fitted.params[0], *fitted.conf_int(0.05)[0]


def number(found: Callable[[], Any]) -> float | None:
    """A figure; None where the library has none."""
    try:
        return _finite(found())
    except (ValueError, ZeroDivisionError, RuntimeError, AssertionError, TypeError):
        return None


def numbers(found: Callable[[], Any]) -> list[float | None]:
    """Several figures; none where the library has none."""
    try:
        values = tuple(found())
    except (ValueError, ZeroDivisionError, RuntimeError, AssertionError, TypeError):
        return []
    return [_finite(value) for value in values]


def _finite(figure: Any) -> float | None:
    value = float(np.asarray(figure).item())
    return value if math.isfinite(value) else None


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    serve({"table": table, "raters": raters, "pairs": pairs})
