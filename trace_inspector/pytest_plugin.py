"""Goldens in pytest: the fixture `trace_golden`, the marker `golden`. The rest is imported when one is used."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from trace_inspector.library.golden_checks import GoldenChecks

_MARKER = "golden"
_WORKER_KEY = "trace_inspector_goldens_written"
_WRITTEN = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that has goldens written."""
    parser.getgroup("trace-inspector").addoption(
        "--trace-golden-update",
        action="store_true",
        help="write what was observed as goldens, instead of comparing with them",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The marker is known."""
    config.addinivalue_line(
        "markers", 'golden("file#case"): what the test returns (traces) must be as this golden of Trace Inspector'
    )
    config.stash[_WRITTEN] = []


@pytest.fixture
def trace_golden(request: pytest.FixtureRequest) -> GoldenChecks:
    """`trace_golden.check(traces, "goldens.evalset.json#case")`; paths are relative to the file of the test."""
    return _checks(request.config, request.path.parent, pytest.fail)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A marked test returns what it observed, which is compared with its golden."""
    marker = pyfuncitem.get_closest_marker(_MARKER)
    if marker is None:
        return None
    if len(marker.args) != 1 or set(marker.kwargs) - {"criteria"}:
        pytest.fail('The marker is written @pytest.mark.golden("file#case"), and may have criteria=….', pytrace=False)
    names: Sequence[str] = pyfuncitem._fixtureinfo.argnames
    observed = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    if inspect.iscoroutine(observed):
        import asyncio

        observed = asyncio.run(observed)
    if observed is None:
        pytest.fail(
            "A test that is marked golden returns the traces it observed; this one returned None.", pytrace=False
        )
    checks = _checks(pyfuncitem.config, pyfuncitem.path.parent, partial(pytest.fail, pytrace=False))
    checks.check(observed, marker.args[0], **marker.kwargs)
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of pytest-xdist tells the one that shows it."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_WORKER_KEY] = session.config.stash[_WRITTEN]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What such a process has written."""
    written: list[str] = node.config.stash[_WRITTEN]
    written += getattr(node, "workeroutput", {}).get(_WORKER_KEY, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What was written is told."""
    for name in sorted({*config.stash[_WRITTEN]}):
        terminalreporter.write_line(f"golden written: {name}")


def _checks(config: pytest.Config, folder: Path, fail: Callable[[str], NoReturn]) -> GoldenChecks:
    from trace_inspector.library.golden_checks import GoldenChecks

    update = bool(config.getoption("--trace-golden-update"))
    return GoldenChecks(folder, fail, config.stash[_WRITTEN] if update else None)
