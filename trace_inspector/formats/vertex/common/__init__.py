"""What all files of Vertex AI share. Imports adk and below."""
