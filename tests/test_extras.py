"""What only an extra brings: without it all else works, and what needs it ends with the line that installs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trace_inspector.extras import EXTRAS, JUDGES, missing
from trace_inspector.resources import folder

LINE = "pip install 'trace-inspector[judges]'"
AS_IF_ABSENT = """
import sys
for name in {names!r}:
    sys.modules[name] = None
from trace_inspector.cli import main
sys.exit(main(sys.argv[1:]))
"""


def evaluate_without_judges(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The samples, evaluated by an installation without the extra `judges`."""
    samples = folder("samples")
    command = [sys.executable, "-c", AS_IF_ABSENT.format(names=EXTRAS[JUDGES].modules), "evaluate"]
    command += [str(samples / "run-0412.json"), "--golden", str(samples / "retail.evalset.json")]
    environment = {**os.environ, "TRACE_INSPECTOR_DATA": str(tmp_path / "data"), "GOOGLE_API_KEY": "not-a-key"}
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, env=environment, timeout=240, check=False
    )


@pytest.mark.parametrize("asked", ["--judge=gemini", "--judge=openai:any", "--only=final_response_match_v2"])
def test_a_judge_that_is_not_installed_ends_with_the_line_that_installs_it(tmp_path: Path, asked: str) -> None:
    done = evaluate_without_judges(tmp_path, asked)
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("trace-inspector: A judge cannot be asked: google.genai, ")
    assert sentence.endswith(LINE)


def test_recorded_replies_need_no_extra(tmp_path: Path) -> None:
    done = evaluate_without_judges(tmp_path, f"--judge=recorded:{folder('samples') / 'judge-replies.json'}")
    assert done.returncode == 1, done.stderr


def test_of_a_package_that_is_missing_no_module_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not missing(JUDGES)
    monkeypatch.setitem(sys.modules, "google", None)
    for name in ("google.genai", "google.auth"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert missing(JUDGES).startswith("google.genai, google.auth are not installed; ")


def test_of_each_extra_the_modules_are_found_that_it_brings() -> None:
    assert {name: missing(name) for name in EXTRAS} == dict.fromkeys(EXTRAS, "")  # who runs tests has them all
