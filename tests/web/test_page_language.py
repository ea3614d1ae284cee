"""The languages of the page: the browser's, or the one that a person chose."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gammon_web.report import report_page
from tests.matches import SAMPLE
from tests.web.conftest import opened
from tests.web.hands import LONG, at_rest
from tests.web.test_page_layout import violations

Opened = Callable[..., Any]

#: The English texts that are on the page, also as labels and explanations, and that have another
#: German text.
ENGLISH = """async () => {
    const [{ en }, { de }] = await Promise.all(
        ["en", "de"].map((code) => import(`./static/js/texts/${code}.js`)));
    const all = (texts) => Object.values(texts).flatMap(
        (text) => typeof text === "object" ? all(text) : typeof text === "string" ? [text] : []);
    const german = new Set(all(de));
    const english = new Set(all(en).filter(
        (text) => text && !german.has(text)));
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const shown = [document.querySelector("gammon-board").board.svg.getAttribute("aria-label")];
    while (nodes.nextNode()) shown.push(nodes.currentNode.data);
    for (const name of ["aria-label", "aria-description", "placeholder", "title", "data-tip"])
        for (const element of document.querySelectorAll(`[${name}]`))
            shown.push(element.getAttribute(name));
    return [shown.length, ...shown.filter((text) => english.has(text.trim()))];
}"""


def english(page: Any) -> list[str]:
    count, *texts = page.evaluate(ENGLISH)
    assert count > 50
    return texts


def german(browser: Any, url: str, **how: Any) -> Any:
    return opened(browser, url, locale="de-DE", timezone_id="Europe/Berlin", **how)


def test_the_page_speaks_the_language_of_the_browser(browser: Any, server: str) -> None:
    with german(browser, server) as page:
        page.locator("table.plays").wait_for()
        assert page.evaluate("document.documentElement.lang") == "de"
        assert page.get_by_role("tab").all_inner_texts()[:3] == ["Analyse", "Spiel", "Durchsicht"]
        page.locator("#status", has_text="X zieht 3 und 1, um Geld.").wait_for()
        assert page.locator("[data-place='6']").get_attribute("aria-label") == "Feld 6, 5 von dir"
        assert english(page) == []
        page.get_by_role("button", name="Aufbau").click()
        page.get_by_role("heading", name="Eine Stellung aufstellen").wait_for()
        assert english(page) == []
        page.get_by_role("tab", name="Durchsicht").click()
        page.get_by_label("Match-Datei").set_input_files(SAMPLE)
        page.locator("svg.graph .course").wait_for(timeout=LONG)
        assert english(page) == []
        page.get_by_role("tab", name="Training").click()
        page.locator(".groups tbody tr").first.wait_for()
        page.get_by_role("button", name="Plan").click()
        page.get_by_text("Wähle einen Spieler.").first.wait_for()
        assert english(page) == []


def test_a_saved_review_speaks_it_too(browser: Any, tmp_path: Path) -> None:
    """It has the texts of all languages inside, and fetches nothing."""
    saved = tmp_path / "review.html"
    saved.write_text(report_page())
    with german(browser, saved.as_uri()) as page:
        page.locator("#status", has_text="Diese Seite enthält keine Durchsicht.").wait_for()
        assert page.evaluate("document.documentElement.lang") == "de"
        assert page.get_by_role("button", name="Tasten").count() == 1


def test_sentences_have_german_grammar(browser: Any, server: str) -> None:
    with german(browser, server) as page:
        page.get_by_role("tab", name="Spiel", exact=True).click()
        page.get_by_label("Wer spielt").select_option(label="Beide von Hand")
        page.get_by_label("Was gespielt wird").select_option(label="Match bis 1")
        page.get_by_label("Spieler unten").fill("Ann")
        page.get_by_role("button", name="Ich tippe sie ein").click()
        assert english(page) == []
        page.get_by_role("button", name="Starten").click()
        page.get_by_label("der Eröffnungswurf, zuerst der Würfel von Ann").fill("31")
        page.keyboard.press("Enter")
        page.locator("#status", has_text="Ann würfelt 3, O würfelt 1: Ann beginnt.").wait_for()
        page.get_by_role("button", name="Aufgeben").click()
        page.get_by_role("button", name="Gammon: 2 Punkte").click()
        over = "Ann gibt ein Gammon auf. Das Match ist zu Ende: Mit 1 zu 0 gewinnt O."
        page.locator("#status", has_text=over).wait_for()
        assert english(page) == []


def test_a_person_chooses_another_language(browser: Any, server: str) -> None:
    with german(browser, f"{server}#play") as page:
        page.get_by_role("button", name="Starten").click()
        at_rest(page)
        page.get_by_label("Sprache").select_option(label="English")
        # The match under way goes on.
        page.get_by_role("heading", name="Record").wait_for()
        assert page.evaluate("document.documentElement.lang") == "en"
        page.reload()
        page.get_by_role("heading", name="Record").wait_for()
        page.get_by_label("Language").select_option(label="Deutsch (Entwurf)")
        page.get_by_role("heading", name="Aufzeichnung").wait_for()


@pytest.mark.parametrize(("languages", "code"), [("fr-FR", "en"), ("de-CH", "de"), ("de", "de")])
def test_an_unknown_language_is_english(browser: Any, server: str, languages: str, code: str) -> None:
    with opened(browser, server, locale=languages) as page:
        page.locator("#start, table.plays").first.wait_for()
        assert page.evaluate("document.documentElement.lang") == code


def test_no_rule_is_broken_in_german(browser: Any, server: str, axe: str) -> None:
    with german(browser, server, viewport={"width": 390, "height": 844}) as page:
        page.locator("table.plays").wait_for()
        page.locator("#analyze[aria-busy='false']").wait_for()
        assert violations(page, axe) == []
        page.get_by_role("link", name="Hilfe", exact=True).click()
        page.locator("#help h1").wait_for()
        assert violations(page, axe) == []


@pytest.mark.parametrize(
    ("width", "height"),
    [(390, 844), *(pytest.param(*size, marks=pytest.mark.nightly) for size in ((844, 390), (1366, 768)))],
)
def test_german_words_widen_nothing(browser: Any, server: str, width: int, height: int) -> None:
    with german(browser, server, viewport={"width": width, "height": height}) as page:
        page.locator("#tab-study").wait_for()
        for tab in ("study", "review", "play", "analyze"):
            page.locator(f"#tab-{tab}").click()
            page.locator(f"#panel-{tab} .card").first.wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") == width
            cut = page.locator("button:visible, h2:visible:not(.unseen)").evaluate_all(
                "(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1)"
                ".map((each) => each.textContent)"
            )
            assert cut == []
        # Also on tablets, and in windows that share a screen.
        for narrow in (320, 600, 768, 831) if height > width else ():
            page.set_viewport_size({"width": narrow, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") == narrow
