"""What the guards remember."""
