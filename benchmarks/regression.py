"""Logistic regression by Newton's method, in plain Python."""

from __future__ import annotations

from operator import mul

from trace_inspector.engine.grounding.decision.model import logistic

_PENALTY = 10.0  # on the squared weights, for a total weight of 600 a set
_STEPS = 12
_CLOSE = 1e-5  # the error after a step is about the square of the step


def newton(table: list[list[float]], labels: list[float], weights: list[float], start: list[float]) -> list[float]:
    """The coefficients with the least weighted loss and penalty; the intercept has no penalty."""
    size = len(start)
    beta = list(start)
    rows = [(row, label, weight) for row, label, weight in zip(table, labels, weights, strict=True) if weight]
    columns = list(zip(*(row for row, _label, _weight in rows), strict=True))
    for _ in range(_STEPS):
        probabilities = [logistic(sum(map(mul, row, beta))) for row, _label, _weight in rows]
        known = list(zip(probabilities, rows, strict=True))
        slopes = [weight * (probability - label) for probability, (_row, label, weight) in known]
        curves = [weight * probability * (1 - probability) for probability, (_row, _label, weight) in known]
        gradient = [
            sum(map(mul, slopes, column)) + (_PENALTY * value if index else 0.0)
            for index, (column, value) in enumerate(zip(columns, beta, strict=True))
        ]
        hessian = [[0.0] * size for _ in range(size)]
        for index, column in enumerate(columns):
            curved = list(map(mul, curves, column))
            for other in range(index + 1):
                hessian[index][other] = hessian[other][index] = sum(map(mul, curved, columns[other]))
            hessian[index][index] += _PENALTY if index else 0.0
        step = _solved(hessian, gradient)
        beta = [value - change for value, change in zip(beta, step, strict=True)]
        if max(map(abs, step)) < _CLOSE:
            break
    return beta


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a small system of equations, by elimination with the largest pivot."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            rows[row] = [value - factor * above for value, above in zip(rows[row], rows[column], strict=True)]
    solution = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][column] * solution[column] for column in range(row + 1, size))
        solution[row] = (rows[row][size] - known) / rows[row][row]
    return solution
