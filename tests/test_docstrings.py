"""Docstrings list the parameters that there are: read from the source, nothing is imported."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "gammon"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parameters(node: Function | ast.ClassDef) -> list[str]:
    """The names that a call may give, in order; of a class those of its __init__ or fields."""
    if isinstance(node, ast.ClassDef):
        makers = [part for part in node.body if isinstance(part, Function)]
        maker = next((part for part in makers if part.name == "__init__"), None)
        fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
        return parameters(maker) if maker else [ast.unparse(field) for field in fields]
    given = node.args
    every = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
    names = [argument.arg for argument in every if argument]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def listed(docstring: str) -> list[str] | None:
    """The names in a docstring's list of arguments, in order; None if it has no such list.

    A line may name several: `rows, weights, out: ...`.
    """
    block = re.search(r"^Args:\n((?: .*\n|\n)*)", docstring + "\n", re.MULTILINE)
    if not block:
        return None
    heads = re.findall(r"^ {4}(\S[^:\n]*):(?:\s|$)", block[1], re.MULTILINE)
    return [name.lstrip("*") for head in heads for name in re.split(r",\s*", head)]


def documented(node: ast.AST, before: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """Yield the name, the docstring and the parameters of what tells of its arguments."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef):
            name, text = before + child.name, ast.get_docstring(child) or ""
            if re.search(r"^Args\b", text, re.MULTILINE):
                yield name, text, parameters(child)
            yield from documented(child, f"{name}.")


def cases() -> Iterator[object]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for name, text, names in documented(ast.parse(path.read_text())):
            case = f"{path.relative_to(PACKAGE).as_posix()}::{name}"
            yield pytest.param(text, names, id=case)


@pytest.mark.parametrize(("docstring", "names"), list(cases()))
def test_arguments_are_those_that_there_are(docstring: str, names: list[str]) -> None:
    """In their order; or `Args as for` another function, without a list."""
    if listed(docstring) is None:
        assert re.search(r"^Args as for `", docstring, re.MULTILINE)
    else:
        assert listed(docstring) == names


def test_what_a_list_of_arguments_is() -> None:
    text = """Do it.

Args:
    a, b: numbers: two of them,
        such as: 3.
    *more: others.

    c:
        the last.

Returns:
    d: none.
"""
    assert listed(text) == ["a", "b", "more", "c"]
    assert listed("Do it.\n\nArgs as for `other`.") is None
