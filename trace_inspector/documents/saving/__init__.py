"""Nothing is lost: atomic saves, locks, journals of edits and drafts. Imports text and packing."""
