"""What all files of google-adk share: contents and shapes. Imports common."""
