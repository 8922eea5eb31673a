"""The HTML report of a comparison in a real browser, without network or scripts: what whoever gets it sees."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.helpers.report_files import FOLDER, MARKUP, REPORTS

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1000,1600",
)  # fmt: skip
SETTINGS = {"profile": {"default_content_setting_values": {"javascript": 2}}}  # no page may run any
needs_browser = pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")


def browse(page: Path, folder: Path, *options: str) -> str:
    """What the browser prints about a page, whose scripts it does not run."""
    settings = folder / "browser" / "Default" / "Preferences"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps(SETTINGS))
    command = [BROWSER, *OPTIONS, f"--user-data-dir={folder / 'browser'}", *options, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=240).stdout


def words(page: str) -> str:
    body = page[page.index("</style>") :]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


@needs_browser
def test_the_browser_runs_no_scripts(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>quiet</title><p>Here.</p><script>document.title = 'ran'</script>")
    assert "<title>quiet</title>" in browse(page, tmp_path, "--dump-dom")


@needs_browser
@pytest.mark.parametrize("name", REPORTS)
def test_a_browser_builds_what_was_written_and_nothing_of_it_runs(name: str, tmp_path: Path) -> None:
    page = browse(FOLDER / name, tmp_path, "--dump-dom")
    assert words(page) == words((FOLDER / name).read_text("utf-8"))
    assert MARKUP[MARKUP.index("onerror") :] in words(page), "markup of a trace is text"
    assert re.findall(r"<(script|img)\b", page) == []


@needs_browser
@pytest.mark.parametrize("name", REPORTS)
def test_the_page_can_be_looked_at(name: str, tmp_path: Path) -> None:
    browse(FOLDER / name, tmp_path, f"--screenshot={tmp_path / 'page.png'}")
    image = QImage(str(tmp_path / "page.png"))
    colours = {image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 3)}
    assert len(colours) > 8, "the page is not blank: marked words, signs, lines"
