"""Children, numbered jobs, the fork server and the watchdog. Imports flows."""
