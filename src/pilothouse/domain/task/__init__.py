"""Tasks: their moves, checks and loop, and what is written down about them."""
