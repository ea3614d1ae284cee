"""`gammon completion`: a script for a shell to complete commands and options."""

import os
from pathlib import Path

import click

from gammon.base.errors import SettingError

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", required=False, metavar="[SHELL]", type=click.Choice(_SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str | None) -> None:
    """Print the script that completes commands in a shell.

    SHELL is bash, zsh or fish; your own unless given. Once the shell has read the script, the
    Tab key completes the commands of gammon, their options, and the options' values. Add the
    line for your shell to its startup file:

    \b
    bash   ~/.bashrc                    eval "$(gammon completion bash)"
    zsh    ~/.zshrc                     eval "$(gammon completion zsh)"
    fish   ~/.config/fish/config.fish   gammon completion fish | source
    """
    from click.shell_completion import get_completion_class

    if shell is None:
        named = os.environ.get("SHELL", "")
        shell = Path(named).name
        if shell not in _SHELLS:
            raise SettingError(
                f"the environment's SHELL {named!r}: expected {', '.join(_SHELLS)}; "
                "name one, as in `gammon completion bash`"
            )
    script = get_completion_class(shell)
    assert script is not None, "click supports all three shells"
    program = context.find_root().command
    click.echo(script(program, {}, "gammon", "_GAMMON_COMPLETE").source())
