"""Counts skipped tests by reason; where everything is meant to be tried, a skip that nobody allowed fails the run.

A continuous integration that skips what it could not install is green without having tested anything.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterable

import pytest

OTHER = "something else"
# What a machine of continuous integration need not have. On systems other than Linux anything may be missing.
ALLOWED = {
    "a browser": re.compile(r"no Chromium is installed"),
    "clients of other systems": re.compile(r"(google-[a-z-]+|google\.[\w.]+|openinference-[a-z-]+) is not installed"),
    "a tracer of system calls": re.compile(r"\bstrace\b"),
    "readers of packages": re.compile(r"\b(lintian|makensis|flatpak-builder|shellcheck) is not installed"),
    "libraries that a package asks for": re.compile(r"not installed by the system's packages"),
    "other shells, or man": re.compile(r"\b(zsh|fish|man) is not installed"),
    "another operating system": re.compile(r"\b(Windows|POSIX|on macOS|another operating system)\b"),
    "root, or a user who is not root": re.compile(r"\broot\b|no tiny disk here"),
    "labelled sentences of others": re.compile(r"TRACE_INSPECTOR_GROUNDING"),
    "more third-party files": re.compile(r"TRACE_INSPECTOR_CORPUS_SECOND"),
    "third-party files": re.compile(r"TRACE_INSPECTOR_CORPUS"),
}


def category(reason: str) -> str:
    """What was missing for a test that was skipped with this reason."""
    return next((name for name, pattern in ALLOWED.items() if pattern.search(reason)), OTHER)


class SkipReport:
    """A plugin that prints the counts, and fails a strict run in which something else was skipped."""

    def __init__(self, strict: bool, corpus_expected: bool) -> None:
        self._strict = strict
        self._corpus_expected = corpus_expected

    def not_allowed(self, reasons: Iterable[str]) -> list[str]:
        """The reasons for which a strict run fails."""
        if not self._strict:
            return []
        refused = {OTHER, "third-party files"} if self._corpus_expected else {OTHER}
        return sorted({reason for reason in reasons if category(reason) in refused})

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus == pytest.ExitCode.OK and self.not_allowed(_reasons(session.config)):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        reasons = _reasons(terminalreporter.config)
        for name, number in sorted(Counter(map(category, reasons)).items()):
            terminalreporter.write_line(f"skipped for want of {name}: {number}")
        for reason in self.not_allowed(reasons):
            terminalreporter.write_line(f"ERROR: with CI=true this may not be skipped: {reason}", red=True)


def from_environment(corpus_expected: bool) -> SkipReport:
    """Strict where `CI=true` is set on Linux, the one system that continuous integration can furnish by itself."""
    return SkipReport(os.environ.get("CI") == "true" and sys.platform == "linux", corpus_expected)


def _reasons(config: pytest.Config) -> list[str]:
    """Why tests were skipped. Empty in a worker of xdist: the process that gathers the reports knows."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter is not None else []
    return [report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr) for report in reports]
