"""A plan of work becomes verdicts, in this process or on an executor. Imports criteria and judges."""
