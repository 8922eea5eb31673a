"""Results and conversations of CES. Imports evaluation."""
