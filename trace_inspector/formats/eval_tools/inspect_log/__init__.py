"""Logs of Inspect: their samples as conversations, targets as goldens, scores as reported."""
