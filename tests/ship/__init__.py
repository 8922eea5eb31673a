"""What people install, built from this checkout, installed where nothing else is, and started (`make test-ship`)."""
