"""Tasks, attempts and steps, and what they leave behind."""
