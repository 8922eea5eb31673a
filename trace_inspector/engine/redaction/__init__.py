"""Redaction: removes texts from values before a report is written, and searches the report for leaks afterwards."""
