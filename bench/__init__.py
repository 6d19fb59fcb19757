"""What Pilothouse claims about speed, measured. `make bench` runs everything; docs/performance.md has the figures."""
