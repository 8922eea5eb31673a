"""The review page: one question at a time, answered by keys, and the dialog before it."""
