"""`gammon ubgi`: an engine for programs that speak the Universal Backgammon Interface."""

import click

from gammon.commands.process import input_lines


@click.command()
def ubgi() -> None:
    """Answer a controller by the Universal Backgammon Interface.

    It is version 0.2 of the protocol, with the words of 0.1, over standard input and output: `ubgi`
    shows all settings, `isready` loads the engine, and `quit` ends the program.

    \b
    printf 'position gnubgid 4HPwATDgc/ABMA\\ndice 3 1\\ngo\\n' | gammon ubgi
    """
    from gammon_adapters.ubgi import converse

    converse(input_lines(), click.echo)
