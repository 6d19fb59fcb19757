"""What git says of a project's working tree."""
