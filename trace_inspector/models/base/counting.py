"""Counts with their nouns, in the singular or plural."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """“1 file”, “1,500 files”."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"
