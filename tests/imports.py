"""The modules of the package, and which of them a file imports."""

import ast
from functools import cache
from pathlib import Path

import gammon

PACKAGE = Path(gammon.__file__).parent


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(("gammon", *parts)).removesuffix(".__init__")


#: The files of the package, by the names of their modules.
MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules of the package that a file imports anywhere, by Python's grammar."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {each if each in MODULES else node.module for each in inside}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return frozenset(names & MODULES.keys())
