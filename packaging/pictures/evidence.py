"""The picture of an evidence pack: the page that others get of the sample run, in a browser, light and dark."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from trace_inspector.cli import main

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_SIZE_PX = "1000,900"
_DARK = "--blink-settings=preferredColorScheme=0"
_CASE = "seattle_coffee_001"


def take_evidence(images: Path, folder: Path) -> None:
    """Evaluate the samples, save the case that fails, and look at its page. Without a browser there is no picture."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), "")
    samples = Path(__file__).resolve().parents[2] / "resources" / "samples"
    result, page = folder / "run-0412.evalset_result.json", folder / "evidence.html"
    traces, goldens = str(samples / "run-0412.json"), str(samples / "retail.evalset.json")
    main(["evaluate", traces, "--golden", goldens, "--report", f"adk={result}", "--fail-on", "never"])
    main(["evidence", str(result), "--case", _CASE, "-o", str(page)])
    for ending, options in (("", ()), ("-dark", (_DARK,))) if browser else ():
        picture = images / f"tour-evidence{ending}.png"
        shown = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={_SIZE_PX}")
        command = [browser, *shown, f"--user-data-dir={folder / 'browser'}", f"--screenshot={picture}", *options]
        subprocess.run([*command, page.as_uri()], check=True, capture_output=True, timeout=60)
