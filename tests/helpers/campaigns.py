"""How long a test takes its time: short in `make test`, long in `make test-long`, from the same lines.

A module of tests that asks `is_long()` is run whole by `make test-long`; a property with `@examples` is by itself. A
test that is long in every form carries `@pytest.mark.campaign` and runs in `make test-long` alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest
from hypothesis import settings

LONG_VARIABLE = "TRACE_INSPECTOR_LONG"
MOST_S = 3600  # that a test may take where there are hours


def is_long() -> bool:
    """Whether this run has hours. Only modules of tests ask, helpers are told (tests/project/test_long_forms.py)."""
    return bool(os.environ.get(LONG_VARIABLE))


def examples(short: int, long: int) -> settings:
    """Settings of a property. More of them on top: `@settings(examples(60, 5_000), deadline=None)`."""
    return settings(max_examples=long if is_long() else short)


def mark_long_forms(items: Iterable[pytest.Item]) -> None:
    """Where there are hours, the tests of a module that asks for it are campaigns, and have an hour each."""
    if is_long():
        for item in items:
            if vars(getattr(item, "module", item)).get(is_long.__name__) is is_long:
                item.add_marker(pytest.mark.campaign)
                item.add_marker(pytest.mark.timeout(MOST_S), append=False)  # before one of its own
