"""The ways from other programs to gammon: line by line, as an environment, or linked to it."""
