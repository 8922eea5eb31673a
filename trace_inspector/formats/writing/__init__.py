"""What writers share: drafts of cases, losses of a conversion, parts of a message. Imports extension and common."""
