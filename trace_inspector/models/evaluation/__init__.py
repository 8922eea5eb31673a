"""The run whose verdicts are shown, what the next one is made with, and what it found. Imports files and base."""
