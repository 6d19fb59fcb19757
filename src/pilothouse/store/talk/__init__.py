"""Questions, grants, and messages sent to a running task."""
