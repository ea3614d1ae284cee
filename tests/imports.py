"""The modules of all packages, and which of them a file imports."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The engine, and all packages, the engine first.
PACKAGE = ROOT / "gammon"
PACKAGES = [PACKAGE, *sorted(ROOT.glob("gammon_*"))]


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


#: The files of the packages, by the names of their modules.
MODULES = {module_of(path): path for package in PACKAGES for path in sorted(package.rglob("*.py"))}


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules of the packages that a file imports anywhere, by Python's grammar."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {each if each in MODULES else node.module for each in inside}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return frozenset(names & MODULES.keys())
