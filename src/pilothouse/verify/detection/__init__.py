"""Detects checks. One module per ecosystem looks at a folder and says which checks it finds."""
