"""What a metric is, and how values, calls and texts are compared. Imports core and documents."""
