"""What all files of CES share. Imports vertex and below."""
