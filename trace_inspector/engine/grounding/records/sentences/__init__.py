"""What one sentence says of records: which ones it speaks of, and whether each statement is true of them."""
