"""What agents used, and how they failed last."""
