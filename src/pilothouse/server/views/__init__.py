"""What the screens read, put together from the store."""
