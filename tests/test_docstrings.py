"""Lists in docstrings of classes; ruff reads those of functions (D417, DOC102)."""

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "gammon"


def taken(node: ast.ClassDef) -> list[str]:
    """The names that a call may give, in order: of `__init__`, or fields."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            given = part.args
            every = [*given.args[1:], given.vararg, *given.kwonlyargs, given.kwarg]
            return [argument.arg for argument in every if argument]
    return [ast.unparse(each.target) for each in node.body if isinstance(each, ast.AnnAssign)]


def test_arguments_are_those_that_there_are() -> None:
    found = 0
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            text = isinstance(node, ast.ClassDef) and ast.get_docstring(node)
            if text and (block := re.search(r"^Args:\n((?: .*\n|\n)*)", f"{text}\n", re.M)):
                heads = re.findall(r"^ {4}\**(\w[\w, *]*):(?:\s|$)", block[1], re.M)
                listed = [name for head in heads for name in re.split(r", \**", head)]
                found += 1
                assert listed == taken(node), f"{path.name}, {node.name}"
    assert found > 30
