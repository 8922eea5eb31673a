"""Recordings of what programs sent while they ran, on the disk before it is answered. Imports nothing of the room."""
