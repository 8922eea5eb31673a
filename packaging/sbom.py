"""Writes into dist/ what the installers carry, as a software bill of materials (CycloneDX), made from their lock."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from locks import FOLDER, LOCKS
from program_version import VERSION

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "dist" / f"trace-inspector-{VERSION}.cdx.json"
LOCK = "installers"
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def main() -> int:
    """Write it, checked against its schema, and say how many packages are in it."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    command = [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", "--output-reproducible"]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), str(FOLDER / f"{LOCK}.txt")]
    bill = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    _complete(bill)
    text = json.dumps(bill, indent=2) + "\n"
    if problem := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        print(f"The bill of materials does not follow its schema: {problem}", file=sys.stderr)
        return 1
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(text, encoding="utf-8")
    print(f"{TARGET}: {len(bill['components'])} packages")
    return 0


def _complete(bill: dict[str, Any]) -> None:
    """The program's own version and what it asks for by itself, which the tool leaves open."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [
        *project["dependencies"],
        *(text for extra in LOCKS[LOCK] for text in project["optional-dependencies"][extra]),
    ]
    wanted = {_normal(text) for text in asked}
    program = bill["metadata"]["component"]
    program["version"] = VERSION
    direct = sorted(one["bom-ref"] for one in bill["components"] if _normal(one["name"]) in wanted)
    others = [one for one in bill["dependencies"] if one["ref"] != program["bom-ref"]]
    bill["dependencies"] = [*others, {"ref": program["bom-ref"], "dependsOn": direct}]


def _normal(text: str) -> str:
    found = _NAME.match(text)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""


if __name__ == "__main__":
    sys.exit(main())
