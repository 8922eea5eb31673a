"""google-adk: sessions, eval sets and results, in the folders below."""
