"""The reference pages name everything that there is: every metric with its options, every command with its own."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.commands import COMMANDS, Command
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.scoring.metric import Metric
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def sections(page: str, level: str) -> dict[str, str]:
    """What stands under each heading."""
    parts = re.split(rf"^{level} (.+)$", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@each("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_stands_in_the_criteria_with_its_options(metric: Metric) -> None:
    found = [(head, text) for head, text in sections("criteria.md", "###").items() if f"`{metric.name}`" in head]
    assert len(found) == 1
    head, text = found[0]
    assert f"({metric.family})" in head
    assert "*Needs*" in text
    assert "*Threshold*" in text or metric.informational
    assert [name for name in metric.options if f"`{name}`" not in text] == []


@each("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_stands_there_with_its_options(command: Command) -> None:
    found = [text for head, text in sections("command-line.md", "##").items() if head.startswith(f"`{command.name}")]
    assert len(found) == 1
    assert "Exit" in found[0]
    parser = argparse.ArgumentParser()
    command.load().arguments(parser)
    words = parser.format_help().split()
    options = {word.strip("[],") for word in words if word.strip("[],").startswith("--")} - {"--help"}
    told = found[0]
    assert [option for option in sorted(options) if f"`{option}" not in told] == []


def test_every_option_of_the_window_stands_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    assert [option for option in sorted(options) if f"`{option}`" not in page] == []


def test_every_report_stands_there() -> None:
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    assert [kind for kind in RUN_REPORTS if f"| `{kind}` |" not in page] == []
