"""The place of a page that a command fills."""

from pathlib import Path

import pytest

from gammon.errors import GammonError
from gammon.experiments.origin import Origin
from gammon.experiments.page import Page

ORIGIN = Origin("gammon bench --quick", "1.0", {"leaf": "abc"})
HEAD = "<!-- made by `gammon bench --deep 3`, gammon 0.9, leaf old -->\n\n"
PLACE = f"{HEAD}old figures\n<!-- so far -->\n"
OTHER = "<!-- made by `gammon benchmark`, gammon 0.9, leaf old -->\n\nothers\n"


def test_only_the_place_changes(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"# Speed\n\n{OTHER}\n{PLACE}\nText by hand.\n")
    Page(path, "gammon bench").fill(ORIGIN, "| 1 |\\n\n")
    filled = path.read_text()
    place = f"{ORIGIN}\n\n| 1 |\\n\n\n<!-- so far -->\n"
    assert filled == f"# Speed\n\n{OTHER}\n{place}\nText by hand.\n"
    assert Origin.read(filled)[1] == ORIGIN
    Page(path, "gammon bench").fill(ORIGIN, "| 1 |\\n\n")
    assert path.read_text() == filled


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# Speed\n", 0),
        (OTHER + "<!-- so far -->\n", 0),
        (HEAD, 0),
        (2 * PLACE, 2),
    ],
)
def test_a_page_without_one_place_is_refused(tmp_path: Path, text: str, count: int) -> None:
    path = tmp_path / "page.md"
    path.write_text(text)
    with pytest.raises(GammonError, match=f"expected one line .* found {count} of these"):
        Page(path, "gammon bench")
    assert path.read_text() == text


def test_a_page_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(GammonError, match="cannot be read: No such file"):
        Page(tmp_path / "none.md", "gammon bench")
    path = tmp_path / "binary.md"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(GammonError, match="expected text in UTF-8"):
        Page(path, "gammon bench")
