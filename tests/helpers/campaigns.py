"""How long a test takes its time: short in `make test`, long in `make test-long`, from the same lines.

A test that is long in every form carries `@pytest.mark.campaign` and runs in `make test-long` alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import settings

Test = TypeVar("Test", bound=Callable[..., None])

LONG_VARIABLE = "TRACE_INSPECTOR_LONG"


def is_long() -> bool:
    """Whether this run has hours."""
    return bool(os.environ.get(LONG_VARIABLE))


def examples(short: int, long: int) -> settings:
    """Settings of a property. More of them on top: `@settings(examples(60, 5_000), deadline=None)`."""
    return settings(max_examples=long if is_long() else short)


def all_rows_when_long(test: Test) -> Test:
    """On a test that tries fewer rows in `make test`: `make test-long` runs it too, with all of them."""
    return pytest.mark.campaign(test) if is_long() else test
