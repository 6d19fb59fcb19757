"""Sessions with their projects and workspaces, and the list of the home screen."""
