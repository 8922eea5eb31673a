"""What is evaluated, with which criteria, and what it found. Imports files."""
