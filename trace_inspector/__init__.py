"""Trace Inspector: see what an agent did, decide what right is, and keep it."""

from __future__ import annotations

__version__ = "0.1.0"
