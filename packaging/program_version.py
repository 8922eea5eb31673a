"""The version of the program, read without importing it."""

from __future__ import annotations

import re
from pathlib import Path

_FILE = Path(__file__).resolve().parents[1] / "trace_inspector" / "version.py"
VERSION = re.findall(r'__version__ = "([^"]+)"', _FILE.read_text(encoding="utf-8"))[0]
