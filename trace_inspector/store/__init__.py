"""SQLite in the user's data folder: runs now; judge cache, human verdicts and index cache have their tables here."""
