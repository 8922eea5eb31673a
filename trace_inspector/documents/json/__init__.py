"""JSON and its lines: strict and tolerant reading, records, scalars, dialects. Imports base."""
