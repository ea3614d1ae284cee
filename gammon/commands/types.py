"""The types of arguments and options: what they take, and what a shell may complete."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.types import StringParamType

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# The names below stand here too because help must not wait for the compiled code that imports
# bring. A test compares them.
#: The colours of a drawn board.
COLOURS = click.Choice(["light", "dark", "print"])


def _told(kind: Any) -> str:
    """Return a range in words, for help and errors."""
    if kind.max is None:
        return f"above {kind.min}" if kind.min_open else f"{kind.min} or more"
    most = f"2**{power}-1" if (power := int(kind.max).bit_length()) >= 32 else kind.max
    return f"at most {most}" if kind.min is None else f"{kind.min} to {most}"


class Integer(click.IntRange):
    """A whole number of a range, rounded up to a multiple of the step.

    Args:
        low, high: the least and the most; None: there is none.
        step: the step. A number that is rounded is told on stderr.
    """

    def __init__(self, low: int | None = None, high: int | None = None, step: int = 1) -> None:
        super().__init__(low, high)
        self.step = step

    _describe_range = _told

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        given: int = super().convert(value, param, ctx)
        found = given + -given % self.step
        if found > given:
            name = param.opts[0] if param else ""
            click.echo(f"{name} {given}: {found}, a multiple of {self.step}", err=True)
        return found


class Decimal(click.FloatRange):
    """A number of a range."""

    _describe_range = _told

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, which is in the range: nan is in none."""
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is not in the range {_told(self)}.", param, ctx)
        return found


#: The type of a seed.
SEED = Integer(0, 2**32 - 1)
#: The type of a number of processes, or of positions at the same time.
SEVERAL = Integer(1, 1024)
#: The type of a number of threads of a search.
THREADS = Integer(1, 256)


def _refuse_empty(value: Any, what: str) -> None:
    if value == "":
        raise click.BadParameter(f"'' is empty: expected {what}")


class _Shipped(StringParamType):
    """One of the networks or recipes that come with gammon, by its name, or a file.

    Args:
        names: the names.
    """

    name = "text"

    def __init__(self, *names: str) -> None:
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text, which is not empty."""
        _refuse_empty(value, f"{', '.join(self.names)} or a file")
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Return the names that begin so, and let the shell look for files."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name) for name in self.names if name.startswith(incomplete)]
        return [*found, CompletionItem(incomplete, type="file")]


class _Programs(click.Choice):  # type: ignore[type-arg]  # click 8.1 has none
    """Some of the other programs, each once, with commas between them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return their names."""
        names = tuple(super(_Programs, self).convert(n, param, ctx) for n in value.split(","))
        if len(set(names)) < len(names):
            self.fail(f"{value!r}: expected each program once", param, ctx)
        return names


#: Other programs to measure.
PROGRAMS = _Programs(["gnubg", "bgsage"])
#: A network.
MODEL = _Shipped("large", "leaf", "probe")
#: A network, or the word `none`.
MODEL_OR_NONE = _Shipped("large", "leaf", "probe", "none")
#: A recipe of training.
RECIPE = _Shipped(
    "anew", "anew-leaf", "further", "further-leaf", "large", "leaf", "plans", "probe", "rare",
    "rare-leaf", "small", "wide",
)  # fmt: skip


class _Place(click.Path):
    """A file or a folder, as a path: neither empty, which would mean this folder, nor `-`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        _refuse_empty(value, "a path, such as . for this folder")
        if value == "-":
            raise click.BadParameter("'-': expected a path, such as /dev/stdout or ./-")
        return super().convert(value, param, ctx)


#: A file or a folder, which may be one to write to.
PLACE = _Place(readable=False, path_type=Path)
