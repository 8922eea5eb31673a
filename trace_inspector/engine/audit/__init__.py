"""What a system itself decided, scored again. Imports ces."""
