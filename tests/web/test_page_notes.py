"""Notes on positions, on the page."""

from pathlib import Path
from typing import Any

from gammon_study.library.library import Library
from gammon_study.library.notes import note_on, write_note
from tests.web.test_page_layout import violations
from tests.web.test_page_matches import Visit, own, visit  # noqa: F401

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def test_a_note_is_written_found_and_removed(visit: Visit, own: Path, axe: str) -> None:  # noqa: F811
    with Library(own) as library:
        write_note(library, OPENING.replace(":31:", ":61:"), "bar point", ["book"])
    page: Any = visit(f"#xgid={OPENING.removeprefix('XGID=')}", width=390, height=844, scheme="dark")
    page.get_by_role("button", name="Note", exact=True).click()
    words = page.get_by_label("Your note")
    words.wait_for()
    words.fill("five <b>point</b>")
    page.get_by_label("Tags, with commas").fill("book, , easy")
    page.get_by_role("tab", name="Analyze").click()
    page.get_by_role("button", name="Note", exact=True).click()
    assert words.input_value() == "five <b>point</b>", "what was typed stays until it is saved"
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The note is saved.").first.wait_for()
    with Library(own) as library:
        note = note_on(library, OPENING)
    assert note is not None
    assert (note.text, note.tags) == ("five <b>point</b>", ("book", "easy"))
    assert violations(page, axe) == []

    rows = page.get_by_label("List of notes").locator("tbody tr")
    page.get_by_role("searchbox").fill("BAR")
    page.keyboard.press("Enter")
    rows.nth(1).wait_for(state="hidden")
    assert "bar point" in rows.first.inner_text()
    assert words.input_value() == "bar point", "the first note that has the words is shown"
    page.get_by_role("searchbox").fill("")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="five <b>point</b>").click()
    words.fill("")
    page.get_by_label("Tags, with commas").fill("")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The note is removed.").first.wait_for()
    with Library(own) as library:
        assert note_on(library, OPENING) is None
