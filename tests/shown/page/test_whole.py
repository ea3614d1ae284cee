"""The report as a whole."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gammon.reviews.review import Review
from gammon.shown.page.whole import review_page
from tests.shown.page.pages import Page


def test_it_needs_nothing_else(hand: Review) -> None:
    text = review_page(hand)
    page = Page(text)
    assert not re.search(r"https?:|\ssrc=|@import|url\(| on[a-z]+=\"", text)
    targets = set(page.values("id"))
    assert len(targets) == len(page.values("id"))
    links = page.values("href")
    assert links
    assert {link[1:] for link in links} <= targets
    assert {link[0] for link in links} == {"#"}


def test_it_says_all_that_people_look_for(hand: Review) -> None:
    page = Page(review_page(hand))
    for side in (0, 1):
        totals = hand.totals(side)
        adjusted = hand.adjusted(side)
        assert adjusted is not None
        for words in (
            f"{totals.all.pr:.2f}", f"{-totals.all.error:+.3f}", f"{totals.luck:+.3f}",
            f"luck taken out {100 * adjusted:+.2f} %", totals.all.pr_class.capitalize(),
        ):  # fmt: skip
            assert words in page.text
    for choice in hand.choices:
        if choice.active:
            assert choice.xgid in page.texts
    assert "Kitchen table" in page.text


def test_no_verb_depends_on_who_plays(hand: Review) -> None:
    """A player of the page is called You: "You doubles" and "You wins" are not English."""
    you = replace(hand, transcript=replace(hand.transcript, players=("You", "gammon")))
    text = Page(review_page(you)).text
    assert re.search(r"You: \d points? won", text)
    assert not re.search(r"(You|gammon) ?(doubles|takes|passes|plays|wins)", text)


def test_tables_fit_a_phone(hand: Review, tmp_path: Path) -> None:
    """At 390 pixels no table is wider than its place, but for those of several sources.

    These scroll, and the names of their rows stay.
    """
    sync_playwright = pytest.importorskip("playwright.sync_api").sync_playwright
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    file = tmp_path / "report.html"
    file.write_text(review_page(hand))
    sizes = (
        "[...document.querySelectorAll('.t .w')].filter(e => !e.querySelector('[colspan]'))"
        ".map(e => [e.scrollWidth, e.clientWidth])"
    )
    sticky = "getComputedStyle(document.querySelector('.t .g td')).position"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(file.as_uri())
        page.evaluate("document.querySelectorAll('.t').forEach(t => t.open = true)")
        found = page.evaluate(sizes)
        whole = page.evaluate("document.documentElement.scrollWidth")
        assert page.evaluate(sticky) == "sticky"
        browser.close()
    assert found
    assert [each for each in found if each[0] > each[1]] == []
    assert whole <= 390


def test_the_worst_decisions_lead_to_their_turns(hand: Review) -> None:
    page = Page(review_page(hand, most=3))
    start = page.texts.index("The worst decisions")
    worst = hand.worst(most=3)
    said = page.texts[start + 1 : page.texts.index("All decisions")]
    errors = [text for text in said if re.match(r"-\d\.\d{3} ", text)]
    assert [text.split()[0] for text in errors] == [f"{-c.error:+.3f}" for c in worst]
    assert sum("rolled out: " in text for text in said) == 3
    only = Page(review_page(hand, player=0, most=99)).texts
    names = only[only.index("The worst decisions") : only.index("All decisions")]
    assert any("Ann, game" in text for text in names)
    assert not any("Bob, game" in text for text in names)


def test_the_analysis_in_the_file_is_named(match5: Review, hand: Review) -> None:
    words = "Beside it stands the analysis that is in the file, by GNU Backgammon 1.07.001"
    text = review_page(match5)
    assert words in Page(text).text
    assert "in the file" not in Page(review_page(hand)).text
    assert len(text) < 700_000, "1 MB for a match to 7"
