"""The text of SGF files: nodes with properties, and the details of a match in the first one.

This module imports nothing that is slow to load, as the list of a library uses it.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from gammon.base.errors import FormatError
from gammon.formats.characters import one_line, quoted

#: The details of a match, by their SGF properties.
DETAILS = {"DT": "EventDate", "EV": "Event", "RO": "Round", "PC": "Site", "AN": "Annotator"}
_TOKEN = re.compile(r"\s+|[();]|[A-Z]+|\[(?:[^\]\\]++|\\.)*+\]", re.DOTALL)
#: The most nodes of a game, and the most properties of a node.
_MOST_NODES, _MOST_PROPERTIES = 10_000, 100
_DETAIL = re.compile(r'\[([^"\]]+) "(.*)"\]')


class Node(NamedTuple):
    """A node: its line in the file, and the values of its properties."""

    line: int
    values: dict[str, list[str]]

    def first(self, name: str) -> str:
        """Return the first value of a property, or an empty text."""
        return self.values.get(name, [""])[0]


def trees(text: str) -> Iterator[list[Node]]:
    """Yield the nodes of each tree.

    Raises:
        FormatError: the text is not SGF, or has a variation.
    """
    nodes: list[Node] = []
    name, depth, place, line, lines = "", 0, 0, 1, 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        line += lines
        if token is None:
            raise FormatError(f"line {line}: {quoted(text[place : place + 20])} is not SGF")
        part, place = token[0], token.end()
        lines = part.count("\n")
        if part.isspace():
            continue
        if nodes and name and part[0] != "[" and not nodes[-1].values[name]:
            raise FormatError(f"line {line}: {name} has no value")
        if part == "(":
            depth += 1
            if depth > 1:
                raise FormatError(f"line {line}: a variation: expected one line of play")
            nodes = []
        elif part == ")" and depth == 1:
            depth = 0
            yield nodes
        elif part == ";" and depth:
            nodes.append(Node(line, {}))
            name = ""
        elif part.isalpha() and nodes and depth:
            name = part
            nodes[-1].values.setdefault(name, [])
        elif part[0] == "[" and nodes and name and depth:
            value = re.sub(r"\\(.)", r"\1", part[1:-1], flags=re.DOTALL)
            nodes[-1].values[name].append(value)
        else:
            raise FormatError(f"line {line}: {quoted(part)} is out of place")
        if len(nodes) > _MOST_NODES or (nodes and len(nodes[-1].values) > _MOST_PROPERTIES):
            raise FormatError(f"line {line}: too many nodes of a game, or properties of a node")
    if depth:
        raise FormatError(f"line {line + lines}: the last game has no end")


def details_of(beginning: str) -> dict[str, str]:
    """Return the details of a match from the beginning of its text, which may end anywhere.

    Without all of its first node there are none.

    Raises:
        FormatError: the text is not SGF.
    """
    tokens = _TOKEN.finditer(beginning)
    nodes = list(islice((token.start() for token in tokens if token[0] == ";"), 2))
    if len(nodes) < 2:
        return {}
    tree = next(trees(f"{beginning[: nodes[1]]})"))
    return dict(details_in(tree[0]))


def details_in(root: Node) -> Iterator[tuple[str, str]]:
    """Yield the details of a match in its first node, each with its name."""
    for name, values in root.values.items():
        value = "".join(values[:1])
        if name == "GC":
            for line in value.splitlines():
                detail = _DETAIL.fullmatch(line.strip())
                yield (detail[1], detail[2]) if detail else ("Comment", line.strip())
        elif name in DETAILS and value:
            text = one_line(value)
            yield DETAILS[name], text.replace("-", ".") if name == "DT" else text
