"""An evidence pack in a real browser, on a phone and a desk, light and dark: readable, and nothing of it runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from tests.end_to_end.test_report_in_browser import browse, needs_browser
from tests.formats import adk_files, evidence_files

DARK = "--blink-settings=preferredColorScheme=0"
MARKUP = "<img src=x onerror=alert(1)><script>document.title = 'ran'</script>"


def page(folder: Path) -> Path:
    path = folder / "evidence.html"
    path.write_bytes(evidence_files.page(adk_files.RESULT.replace("Two seats?", MARKUP)))
    return path


@needs_browser
def test_everything_is_read_as_text(tmp_path: Path) -> None:
    shown = browse(page(tmp_path), tmp_path, "--dump-dom")
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown
    assert "<img" not in shown
    assert "<script" not in shown


@needs_browser
@pytest.mark.parametrize("size", ["390,844", "1280,900"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable_on_a_phone_and_a_desk(size: str, scheme: str, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    chosen = (DARK,) if scheme == "dark" else ()
    browse(page(tmp_path), tmp_path, f"--window-size={size}", f"--screenshot={picture}", *chosen)
    image = QImage(str(picture))
    ground = QColor(image.pixel(image.width() - 3, image.height() - 3)).lightness()
    assert (ground < 80) is (scheme == "dark")
    colours = {image.pixel(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 3)}
    assert len(colours) > 8, "the page is not blank"
