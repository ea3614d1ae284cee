"""`python -m gammon` is the program `gammon`."""

from gammon.commands.main import main

main()
