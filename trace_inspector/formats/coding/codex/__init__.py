"""Rollouts of the Codex CLI of both generations, and what `codex exec --json` prints."""
