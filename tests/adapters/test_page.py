"""The conversations of docs/protocols.md take place as they stand there."""

import json
import re
from pathlib import Path

from gammon_adapters.ubgi import Ubgi
from tests.engine.commands.program import run

PAGE = (Path(__file__).parents[2] / "docs" / "protocols.md").read_text()


def lines_of(kind: str, way: str) -> list[str]:
    """The lines that one side sends in the page's block of a kind."""
    (block,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return [line[2:] for line in block.splitlines() if line.startswith(f"{way} ")]


def test_the_interface() -> None:
    said: list[str] = []
    ubgi = Ubgi(said.append)
    asked = lines_of("ubgi", ">")
    assert [ubgi.obey(line) for line in asked] == [line != "quit" for line in asked]
    figures = r"(score|nodes|time_ms) \S+"  # which change with the network and the machine
    found = [re.sub(figures, r"\1", line) for line in said]
    assert found == [re.sub(figures, r"\1", line) for line in lines_of("ubgi", "<")]


def test_lines_of_json() -> None:
    done = run("analyze", "-", "--json", stdin="\n".join(lines_of("json-lines", ">")))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    expected = [json.loads(line.replace(", ...", "")) for line in lines_of("json-lines", "<")]
    assert len(found) == len(expected)
    for answer in expected:
        assert any(answer.items() <= each.items() for each in found), answer
    interim = [each["depth"] for each in found if each.get("id") == "a"]
    assert interim == [1, 3]


def test_the_fields_of_a_query() -> None:
    """Those that the page names are there, and the words of a query are its own."""
    from gammon.commands.stream import FIELDS

    fields = PAGE.split("| field | is |")[1].split("`gammon analyze --help`")[0]
    listed = set(re.findall(r"`(\w\w+)`", fields)) - {"true"}
    assert {"position", "id", "interim", "plays", "filter", "score"} < listed <= set(FIELDS)


def test_all_settings_are_named() -> None:
    from gammon_adapters.ubgi_state import KEYS

    for name in KEYS:
        if name != "game.variant":
            assert f"`{name}`" in PAGE
