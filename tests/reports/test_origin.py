"""A page tells what its figures are of, and pages of other networks are found."""

from pathlib import Path

import pytest

import gammon
from gammon.eval.model_file import network_id
from gammon.reports.origin import Origin

ROOT = Path(__file__).parent.parent.parent
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "notebook" not in path.parts and Origin.read(path.read_text())
]


def test_an_origin_is_read_as_it_is_written() -> None:
    origin = Origin.of("gammon reproduce hauk --seed 1")
    assert Origin.read(f"# A page\n\n{origin}\n\n| 1 |\n{origin}") == [origin, origin]
    assert origin.version == gammon.__version__
    assert origin.networks["leaf"] == network_id("leaf")
    assert Origin.read("<!-- a comment -->") == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_no_page_has_figures_of_other_networks_than_those_that_ship(page: Path) -> None:
    for origin in Origin.read(page.read_text()):
        for name, number in origin.networks.items():
            assert number == network_id(name), f"{origin.command} is of another {name}"
