"""The version, in a module that imports nothing: the package itself offers what lies on top of all others."""

from __future__ import annotations

__version__ = "0.9.0"
