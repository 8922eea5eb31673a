"""A plugin of pytest: writes down which test runs and which fails, and refuses to run with another place's code."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

from tests.faults.drawing import PACKAGE

VARIABLE = "TRACE_INSPECTOR_WITNESS"  # names the file that is written
WRONG_CODE = 33  # the status when the package of another place would be tested
MEMORY_BYTES = 6 << 30  # a fault may fill any memory


def pytest_configure() -> None:
    """An editable install points at a checkout; what is to be tested lies beside this file."""
    spec = importlib.util.find_spec(PACKAGE)
    origin = Path(spec.origin).resolve() if spec is not None and spec.origin is not None else Path()
    if origin.parent != Path(__file__).resolve().parents[2] / PACKAGE:
        pytest.exit(f"{origin} would be tested, not what lies beside {__file__}", WRONG_CODE)
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def pytest_runtest_logstart(nodeid: str) -> None:
    _write(started=nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _write(failed=report.nodeid, why=_why(report))


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _write(failed=report.nodeid, why=_why(report))


def _why(report: pytest.TestReport | pytest.CollectReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return text.strip().splitlines()[0 if crash is not None else -1][:200] if text.strip() else ""


def _write(**words: str) -> None:
    with Path(os.environ[VARIABLE]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(words) + "\n")
