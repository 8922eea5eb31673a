"""agent-eval: questions, rows, summaries. Imports adk and below."""
