"""A person at a real browser in front of a real server. A package, so that browser and servers end with it."""
