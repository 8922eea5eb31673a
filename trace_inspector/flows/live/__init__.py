"""Runs while they go on: the receiver of OTLP, turns as they end, their verdicts. Imports runs."""
