"""Results as tables of records, whatever they were written as."""
