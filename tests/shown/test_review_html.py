"""A review in a notebook."""

import re
from xml.etree import ElementTree

from gammon.reviews.review import review
from gammon.shown.review_html import review_html
from tests.matches import HAND


def test_it_has_the_tables_and_the_worst_choices() -> None:
    found = review(HAND, depth=1)
    html = found._repr_html_()
    assert html == review_html(found)
    page = ElementTree.fromstring(html)
    text = " ".join(page.itertext())
    assert len(list(page.iter("table"))) == 2
    for player in (0, 1):
        assert f"{found.totals(player).all.pr:.2f}" in text
    for choice in found.worst(most=5):
        assert choice.xgid in text
        assert f"{-choice.error:+.4f}" in text
    assert html.count('class="gammon-board"') == 5
    assert not re.search(r"<script|<style|href|src=| on[a-z]+=| id=", html)
