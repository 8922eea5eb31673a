"""The evaluation engine: criteria, pairing, metrics, judges, reports. No threads, no Qt, no files of its own."""
