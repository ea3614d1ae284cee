"""What axe-core says of the page: it can be used by all."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import at_rest, start

Opened = Callable[..., Any]

OTHER = "#xgid=--CDBbC-B-----a----bdA-cc-:0:0:1:52:4:3:0:7:10"
CHECK = "async () => (await axe.run()).violations"


def violations(page: Any, axe: str) -> list[str]:
    """The rules that the page breaks now, with the first element of each."""
    page.evaluate(axe)
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in page.evaluate(CHECK)]


@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 360), ("print", 1280)]
)
def test_no_rule_is_broken(open_page: Opened, axe: str, scheme: str, width: int) -> None:
    theme = f"localStorage['gammon.theme'] = '\"{scheme}\"';"
    page = open_page(OTHER, width=width, scheme="light", kept=theme)
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr.exact")
    assert violations(page, axe) == []
    page.get_by_role("button", name="All rolls").click()
    page.wait_for_selector("table.rolls")
    assert violations(page, axe) == []
    page.get_by_role("button", name="Set up").click()
    assert violations(page, axe) == []
    page.get_by_role("tab", name="Play").click()
    assert violations(page, axe) == []
    start(page, "Money games", 4)
    at_rest(page)
    assert violations(page, axe) == []
    page.get_by_role("tab", name="Review").click()
    assert violations(page, axe) == []
