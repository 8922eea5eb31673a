"""Repeatable measurements, each printing one table."""
