"""Customer Engagement Suite: evaluations, results, runs and apps, in the folders below."""
