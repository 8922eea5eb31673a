"""Editing goldens, promoting traces, and finding what a process left behind. Imports opening."""
