"""Makes each part once for a window, and gives it what it needs. No other folder imports it."""
