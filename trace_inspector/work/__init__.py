"""QtCore: supervised jobs, the loading child and the process pool. The only room with threads or processes."""
