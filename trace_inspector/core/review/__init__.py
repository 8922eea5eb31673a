"""What people say about outputs: labels, what they are about, and how labels of several files become one set."""
