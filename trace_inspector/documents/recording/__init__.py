"""Recordings of what programs sent while they ran, on the disk before it is answered. Imports the lock of saving."""
