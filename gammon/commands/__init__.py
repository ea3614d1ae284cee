"""The commands of the program `gammon`."""
