"""JSON files that follow the database."""
