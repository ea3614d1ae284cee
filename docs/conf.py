"""The site of the documentation: the README, docs/ and the docstrings, built by Sphinx.

    sphinx-build -W --keep-going -c docs . build/site

The top of the repository is the source folder, so that a link leads to the same place on the
site and in the repository.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy.typing as npt
from click import Context
from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import stringify_annotation

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))
os.environ["GAMMON_KERNELS"] = "python"  # to read docstrings, nothing need be compiled

import gammon  # noqa: E402
from gammon.commands.group import every_command  # noqa: E402
from gammon.commands.main import main  # noqa: E402

#: The page that lists all others, which stand below the README on the site.
LIST = "docs/README"

#: The page that shows the board as an element, and the element's folder.
BOARD_PAGE, BOARD = "docs/embed", TOP / "gammon_web" / "static" / "board"
#: What Sphinx makes of an array's type, by itself or with the layout that a kernel asks for.
ARRAY = re.compile(
    r"~?numpy\.ndarray\[tuple\[(?:~typing\.)?Any, \.\.\.\], "
    r"~?numpy\.dtype\[~?(?:numpy\.)?(\w+)\]\]"
)
KERNEL_ARRAY = re.compile(r"~?(?:typing\.)?Annotated\[(NDArray\[\w+\]), Array\([^)]*\)\]")
ARRAY_LIKE = stringify_annotation(npt.ArrayLike, "smart")

project = "gammon"
author = "The gammon developers"
copyright = f"{author}, MIT license"
release = gammon.__version__

root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "docs/*/*.md", "models/*.md"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
highlight_language = "none"
smartquotes_action = "D"  # dashes
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 3

# A name between backticks in a docstring is a link where the site has that name.
default_role = "py:obj"
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"gammon {release}"
html_copy_source = False
html_show_sphinx = False


class Commands(SphinxDirective):
    """The help of the program and of each command, a section each."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        sections: list[nodes.Node] = []
        for path, command in every_command(main, "gammon"):
            context = Context(command, info_name=path, terminal_width=80, **main.context_settings)
            section = nodes.section(ids=[path.replace(" ", "-")])
            section += nodes.title(text=path)
            section += nodes.literal_block(text=command.get_help(context))
            sections.append(section)
        return sections


def listed(page: str) -> dict[str, list[str]]:
    """Return the pages that a page lists, by the heading above each: the order of the site.

    A page is listed by the first link of a line that begins with "* [" or "| [".
    """
    groups: dict[str, list[str]] = {}
    caption = ""
    for line in (TOP / f"{page}.md").read_text().splitlines():
        if line.startswith("## "):
            caption = line[3:]
        elif link := re.match(r"[*|] \[.*?\]\((\S+)\.md\)", line):
            path = os.path.normpath(Path(page).parent / link[1])
            groups.setdefault(caption, []).append(path)
    return groups


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Append the list of all pages to the text of the README."""
    groups = {"": [LIST]} | listed(LIST) if page == "README" else {}
    for caption, pages in groups.items():
        options = [":hidden:", f":caption: {caption}"] if caption else [":hidden:"]
        lines = [*options, "", *(f"/{each}" for each in pages)]
        source[0] += "\n".join(["\n```{toctree}", *lines, "```\n"])


def keep_together(app: Sphinx, page: str, source: list[str]) -> None:
    """Keep a figure and its standard error on one line."""
    source[0] = re.sub(r"(?<=\d) ± (?=\d)", "\u00a0±\u00a0", source[0])


def escape_asterisks(
    app: Sphinx, kind: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Leave the asterisk of *-minimax what it is, in a docstring."""
    lines[:] = [re.sub(r"(?<![*\\\w])\*(?=[-\w])", r"\\*", line) for line in lines]


def skip_field(app: Sphinx, kind: str, name: str, thing: object, skip: bool, options: object) -> bool | None:
    """Leave out the entry of a NamedTuple's field: its class tells of them all."""
    return True if (thing.__doc__ or "").startswith("Alias for field number") else None


def named(text: str) -> str:
    """Call the types of arrays what the source calls them, instead of what these stand for."""
    text = ARRAY.sub(r"NDArray[\1]", text.replace(ARRAY_LIKE, "ArrayLike"))
    return KERNEL_ARRAY.sub(r"\1", text)


def name_in_signature(
    app: Sphinx,
    kind: str,
    name: str,
    thing: object,
    options: object,
    arguments: str | None,
    returned: str | None,
) -> tuple[str | None, str | None]:
    """Do so between the parentheses of a call, and after them."""
    return arguments and named(arguments), returned and named(returned)


def name_in_docstring(
    app: Sphinx, kind: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Do so where napoleon has written the types of attributes."""
    lines[:] = map(named, lines)


def add_board(app: Sphinx, page: str, *rest: object) -> None:
    """Let the page of the board as an element show one."""
    if page == BOARD_PAGE:
        app.add_js_file("board/gammon-board.js", type="module")


def copy_files(app: Sphinx, error: Exception | None) -> None:
    """Give the first page the name that browsers look for, too, and the site its board."""
    if error is None:
        shutil.copy(app.outdir / "README.html", app.outdir / "index.html")
        shutil.copytree(BOARD, app.outdir / "_static" / "board", dirs_exist_ok=True)


def add_site(app: Sphinx, error: Exception | None) -> None:
    """Put the board beside the pages, if its engine has been built."""
    if error is None and any((TOP / "gammon" / "wasm").glob("*/*.wasm")):
        command = [sys.executable, "-m", "gammon", "site", "--out", str(app.outdir / "board")]
        usual = {key: value for key, value in os.environ.items() if key != "GAMMON_KERNELS"}
        subprocess.run(command, cwd=TOP, env=usual, check=True)


def setup(app: Sphinx) -> None:
    """Take part in the build."""
    app.add_directive("commands", Commands)
    app.add_lexer("json-lines", TextLexer)
    app.add_lexer("ubgi", TextLexer)
    app.connect("source-read", add_contents)
    app.connect("source-read", keep_together)
    app.connect("autodoc-process-docstring", escape_asterisks)
    app.connect("autodoc-skip-member", skip_field)
    app.connect("autodoc-process-signature", name_in_signature)
    app.connect("autodoc-process-docstring", name_in_docstring, priority=900)
    app.connect("html-page-context", add_board)
    app.connect("build-finished", copy_files)
    app.connect("build-finished", add_site)
