"""Many runs aligned into one braid, and what those that fail have in common. Imports exact tests and intervals."""
