"""What all files of google-adk share: contents and schemas. Imports common."""
