"""The report of a review in a browser: its own style and script work, and no others."""

from pathlib import Path
from typing import Any

from gammon.reviews.review import review
from tests.matches import HAND

INJECTED = """<script>window.ran = 1</script><img src=x onerror="window.ran = 2">
<a id=evil href="javascript:window.ran=3">x</a><p id=red style="color:rgb(255,0,0)">x</p>
<style>#red{color:rgb(255,0,0)}</style><form id=form action="https://example.org"></form>
<main>"""


def test_its_own_script_runs_and_no_other(browser: Any, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.html", tmp_path / "bad.html"
    text = review(HAND, depth=1).page()
    assert text.count("<main>") == 1
    good.write_text(text)
    bad.write_text(text.replace("<main>", INJECTED))
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(good.as_uri())
    assert page.get_by_role("button", name="Open all").is_visible()
    page.get_by_role("button", name="Open all").click()
    assert page.locator("details.t:not([open])").count() == 0
    grounds = {"light": "rgb(246, 243, 236)", "dark": "rgb(16, 19, 22)"}
    ground = "getComputedStyle(document.body).backgroundColor"
    for scheme, expected in grounds.items():
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(ground) == expected
    assert said == []
    page.goto(bad.as_uri())
    page.locator("#evil").click()
    assert page.evaluate("window.ran") is None
    assert page.evaluate("getComputedStyle(red).color") != "rgb(255, 0, 0)"
    assert page.get_by_role("button", name="Open all").is_visible()
    assert any("Content Security Policy" in line for line in said)
    page.close()
