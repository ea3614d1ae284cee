"""Write the man pages: `gammon.1`, and one page for each command, from the program's help.

A wheel installs them into share/man/man1 (hatch_build.py). This writes them into a folder:

    python scripts/write_man_pages.py build/man
    man -l build/man/gammon-analyze.1
"""

import inspect
import os
import re
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # a build has the package nowhere else

import gammon  # noqa: E402
from gammon.commands.group import every_command  # noqa: E402
from gammon.commands.main import main  # noqa: E402

#: The longest line of a page.
WIDTH = 79
#: The environment variables that the program reads.
VARIABLES = {
    "GAMMON_CACHE": "The folder for compiled code and exact tables; `gammon info` shows it.",
    "GAMMON_BGSAGE": "The Python that has bgsage, for players such as bgsage=1.",
}
#: The exit codes of the program.
CODES = {
    "0": "All was done.",
    "1": "Something could not be done. One line on standard error gives the reason.",
    "2": "The arguments or options are wrong.",
    "130, 141, 143": "An interrupt, a closed pipe or SIGTERM ended the program; `gammon serve` ends with 0.",
}


def _roff(text: str) -> str:
    """Return a text as roff prints it unchanged; words between backticks are bold."""
    for character, escape in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("~", "\\(ti"), ("^", "\\(ha")):
        text = text.replace(character, escape)
    return re.sub(r"`([^`]*)`", r"\\fB\1\\fP", text)


def _line(text: str) -> str:
    """Return a line that roff does not take for a request."""
    return f"\\&{text}" if text.startswith(".") else text


def _filled(text: str) -> Iterator[str]:
    """Yield the lines of a paragraph. Each sentence begins a new line."""
    for sentence in re.split(r"(?<=[.?!]) +", " ".join(text.split())):
        for part in textwrap.wrap(_roff(sentence), WIDTH, break_long_words=False, break_on_hyphens=False):
            yield _line(part)


def _entry(term: str, text: str) -> Iterator[str]:
    """Yield an entry of a list: commands and options are bold, values in italics."""
    words = [f"\\f{'B' if re.match('-|[a-z]', word) else 'I'}{_roff(word)}\\fP" for word in term.split()]
    yield from (".TP", " ".join(words), *_filled(text))


def _described(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text. Paragraphs that click does not fill begin with \\b."""
    for number, paragraph in enumerate(text.split("\n\n")):
        if paragraph.startswith("\b"):
            verbatim = [_line(_roff(line)) for line in paragraph.splitlines()[1:]]
            yield from (".PP", ".nf", *verbatim, ".fi")
        else:
            yield from (".PP",) if number else ()
            yield from _filled(paragraph)


def _page(command: click.Command, path: str) -> str:
    """Return the man page of a command; `path` is how it is called."""
    context = click.Context(command, info_name=path, **main.context_settings)
    name = path.replace(" ", "-")
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    day = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    short = command.get_short_help_str(limit=200).rstrip(".")
    usage = " ".join(command.collect_usage_pieces(context))
    below = command.commands if isinstance(command, click.Group) else {}
    lines = [
        f'.TH {name.upper()} 1 {day} "gammon {gammon.__version__}" gammon',
        ".nh",
        ".ad l",
        ".SH NAME",
        f"{_roff(name)} \\- {_roff(short[:1].lower() + short[1:])}",
        ".SH SYNOPSIS",
        f"\\fB{path}\\fP {_roff(usage)}",
        ".SH DESCRIPTION",
        *_described(inspect.cleandoc(command.help or "")),
        ".SH OPTIONS",
    ]
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record and isinstance(parameter, click.Option):
            lines += _entry(*record)
    if below:
        lines.append(".SH COMMANDS")
        for subcommand in below.values():
            lines += _entry(subcommand.name or "", subcommand.get_short_help_str(limit=200))
        lines.append(".SH ENVIRONMENT")
        for variable, text in VARIABLES.items():
            lines += _entry(variable, text)
    lines.append(".SH EXIT STATUS")
    for code, text in CODES.items():
        lines += _entry(code, text)
    above = name.rpartition("-")[0]
    related = [f"{name}-{subcommand}" for subcommand in below] or [above]
    lines += [".SH SEE ALSO", ",\n".join(f"\\fB{_roff(page)}\\fP(1)" for page in related)]
    return "\n".join(lines) + "\n"


def man_pages() -> dict[str, str]:
    """Return the text of each page, by the name of its file."""
    return {
        f"{path.replace(' ', '-')}.1": _page(command, path) for path, command in every_command(main, "gammon")
    }


def write_man_pages(folder: Path) -> list[Path]:
    """Write the pages into a folder, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in man_pages().items():
        paths.append(folder / name)
        paths[-1].write_text(text, encoding="utf-8")
    return paths


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python scripts/write_man_pages.py FOLDER")
    for path in write_man_pages(Path(sys.argv[1])):
        print(path)
