"""The project's own checks: which they are. No model is involved."""
