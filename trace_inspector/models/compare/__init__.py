"""Compares conversations, and applies observed values to goldens. Imports golden and what lies below it."""
