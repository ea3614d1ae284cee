"""The Python of the documentation runs, and its links lead somewhere."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("models/*.md")])


def name_of(page):
    return str(page.relative_to(ROOT))


def test_adding_a_game(tmp_path):
    text = (ROOT / "docs" / "adding_a_game.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 3
    # Compiled functions are kept on disk by the file that they come from.
    script = tmp_path / "race_to_ten.py"
    script.write_text("\n".join(blocks))
    found = runpy.run_path(str(script))
    assert -1 < found["twin"](0) < 1


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
