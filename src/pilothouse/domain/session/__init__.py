"""Sessions, and the projects and workspaces they belong to."""
