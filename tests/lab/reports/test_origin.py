"""A page tells what its figures are of, and pages of other networks are found."""

import os
from pathlib import Path

import pytest

from gammon.base.revision import version_with_commit
from gammon.eval import cube_network, race_network
from gammon.eval.model_file import load_model, network_id
from gammon_lab.reports.origin import Origin

ROOT = Path(__file__).parents[3]
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "notebook" not in path.parts and Origin.read(path.read_text())
]


def test_an_origin_is_read_as_it_is_written() -> None:
    origin = Origin.of("gammon reproduce hauk --seed 1")
    assert Origin.read(f"# A page\n\n{origin}\n\n| 1 |\n{origin}") == [origin, origin]
    assert origin.version == version_with_commit()
    assert origin.networks["leaf"] == network_id("leaf")
    assert origin.networks["race"] == race_network.NETWORK.id()
    assert origin.networks["cube"] == cube_network.NETWORK.id()
    assert Origin.read("<!-- a comment -->") == []
    for networks in ("leaf", "leaf 5", "leaf 0123456789ab, large", ""):
        assert Origin.read(f"<!-- made by `x`, gammon 0.1, {networks} -->") == []


#: A page says so if figures of it are of the networks that those of today grew from.
BEFORE = (
    "networks before back games and caught checkers had "
    "[parts of their own](NOTEBOOK#games-of-their-own)"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_says_if_its_figures_are_of_other_networks_than_those_that_ship(
    page: Path,
) -> None:
    text = page.read_text()
    notebook = Path(os.path.relpath(ROOT / "docs" / "notebook" / "network.md", page.parent))
    said = BEFORE.replace("NOTEBOOK", notebook.as_posix()) in " ".join(text.split())
    others, ours = 0, Origin.of("").networks
    for origin in Origin.read(text):
        for name, number in origin.networks.items():
            if number != ours[name]:
                others += 1
                # Those of races and of the cube have no card, which tells of which one it grew.
                small = name in ("race", "cube")
                before = None if small else load_model(name).card["recipe"]["start"]
                assert number == before, f"{origin.command} is of another {name}"
    assert said == (others > 0), "it says so, or has figures of today's networks alone"
