"""What stops a run before it wastes money or trust."""
