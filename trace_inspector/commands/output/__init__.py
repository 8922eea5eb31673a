"""What the commands print: the terminal, columns, a table of verdicts, what was redacted."""
