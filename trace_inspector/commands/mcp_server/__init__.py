"""The server for coding agents: what it may read, what it answers, and the process in which an answer is made."""
