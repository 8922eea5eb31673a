"""The bill of materials names what the installers carry: every package of their lock, and nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ship.conftest import PACKAGING
from trace_inspector import __version__

pytestmark = pytest.mark.ship
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)


def test_it_has_every_package_of_the_lock_in_its_version() -> None:
    pytest.importorskip("cyclonedx_py")
    command = [sys.executable, str(PACKAGING / "sbom.py")]
    told = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True).stdout
    bill = json.loads(Path(told.rpartition(":")[0]).read_text(encoding="utf-8"))
    lock = _PIN.findall((PACKAGING / "locks" / "installers.txt").read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert {(one["name"], one["version"]) for one in bill["components"]} == set(lock)
    program = bill["metadata"]["component"]
    assert (program["name"], program["version"]) == ("trace-inspector", __version__)
    (asked,) = [one["dependsOn"] for one in bill["dependencies"] if one["ref"] == program["bom-ref"]]
    direct = {one["name"].lower() for one in bill["components"] if one["bom-ref"] in asked}
    assert {"pyside6-essentials", "google-genai"} <= direct
