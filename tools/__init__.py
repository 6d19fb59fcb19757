"""Scripts of the repository: set-up, gates and the test suite. None of them is part of the package."""
