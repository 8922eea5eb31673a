"""The HTML report of a comparison, byte for byte as somebody looked at it: `python -m tests.helpers.report_files`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.helpers.report_files import FOLDER, MARKUP, REPORTS, written


@pytest.mark.parametrize("name", REPORTS)
def test_the_report_is_the_one_that_was_looked_at(name: str, tmp_path: Path) -> None:
    assert written(tmp_path, REPORTS[name]) == (FOLDER / name).read_text("utf-8"), (
        "The report has changed. Write it anew with `python -m tests.helpers.report_files`, and look at it."
    )


@pytest.mark.parametrize("name", REPORTS)
def test_the_report_holds_nothing_that_runs_or_is_fetched(name: str) -> None:
    page = (FOLDER / name).read_text("utf-8")
    assert re.findall(r"<\s*(script|img|link|iframe|object|embed|base|form|video|audio)\b", page, re.IGNORECASE) == []
    assert re.findall(r"""\s(?:src|href|action|on\w+)\s*=\s*(?!["']?#)""", re.sub(r">[^<]*<", "><", page)) == []
    assert re.findall(r"url\(|@import", page) == []
    assert MARKUP not in page
