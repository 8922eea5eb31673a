"""One file per report. REPORTS is the one list."""
