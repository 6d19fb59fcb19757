"""The project's own checks: which they are, and running them. No model is involved."""
