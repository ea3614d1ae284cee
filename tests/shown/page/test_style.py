"""The style sheet and the script."""

import re

from gammon.shown.page.style import SCRIPT, style
from gammon.svg.colours import COLOURS


def test_every_variable_is_declared_in_all_three_palettes() -> None:
    sheet = style()
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", sheet))
    for part in re.findall(r":root\{([^{}]*--bg[^{}]*)\}", sheet):
        assert used <= set(re.findall(r"(--[a-z0-9-]+):", part))
    assert len(re.findall(r"--bg:", sheet)) == 3
    for colours in COLOURS.values():
        assert f"--gb-arrow:{colours.arrow}" in sheet


def test_nothing_comes_from_elsewhere() -> None:
    for text in (style(), SCRIPT):
        assert not re.search(r"https?:|url\(|@import|fetch\(|XMLHttp|src=", text)
        assert "</" not in text
    assert style().count("{") == style().count("}")
