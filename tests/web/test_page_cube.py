"""Decisions about the cube on the page: the table answers the player who must decide."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import gammon_study
from tests.matches import MATCH5
from tests.web.hands import LONG, choose

Opened = Callable[..., Any]

#: A double that is a pass by far.
OFFER = "XGID=-CEBa-B--a-----bbb-cbBb-A-:0:0:-1:D:0:0:0:5:10"


def number(text: str) -> float:
    found = re.match(r"[+-]?\d+\.\d+", text.replace("−", "-"))
    assert found is not None, text
    return float(found[0])


def test_a_double_on_offer_has_the_answers_first(open_page: Opened) -> None:
    page = open_page(f"#xgid={OFFER[5:]}")
    page.get_by_text("pass by X").first.wait_for()
    table = page.get_by_role("table", name="The answer to the double")
    rows = [row.all_inner_texts() for row in map(cells, table.locator("tbody tr").all())]
    assert [row[0] for row in rows] == ["Pass", "Take"]
    assert [number(rows[0][1]), rows[0][2].strip()] == [-1.0, "best"]
    assert -number(rows[1][1]) == pytest.approx(1.0 + number(rows[1][2]), abs=1.1e-3)
    assert page.get_by_text("The double loses 0.0").count() == 1
    assert page.get_by_text("the double close").count() == 0


def cells(row: Any) -> Any:
    return row.locator("td")


def test_a_take_in_a_review_has_its_loss_and_the_best_answer(open_page: Opened) -> None:
    page = open_page("#review")
    page.get_by_role("group", name="Depth of the review").get_by_role(
        "button", name="1"
    ).click()
    page.get_by_label("Match file").set_input_files(MATCH5)
    page.wait_for_selector("svg.graph .course")
    choose(page, "Kind", "Cube")
    (take,) = (
        each
        for each in gammon_study.review(MATCH5, depth=1).worst(most=None)
        if each.kind == "take" and each.error > 0.3
    )
    page.locator(f'[data-choice="{take.game} {take.action} take"]').click()
    table = page.locator("table.candidates")
    rows = [cells(row).all_inner_texts() for row in table.locator("tbody tr").all()]
    assert [row[0] for row in rows] == ["Pass", "Take made"]
    assert rows[0][1:3] == ["−1.000", "best"]
    assert take.values is not None
    assert number(rows[1][1]) == round(-take.values.double_take, 3)
    assert number(rows[1][2]) == round(take.error, 3)
    assert take.chances is not None
    assert float(rows[1][3]) == round(100 * (1 - take.chances.win), 1)
    said = page.locator("#status").inner_text()
    assert f"loses {take.error:.3f}" in said
    assert "Pass −1.000, take −1." in said
    assert table.locator("xpath=..").get_by_text("The double ").count() == 1


@pytest.mark.parametrize(
    ("xgid", "best"),
    [
        (OFFER, "No double"),
        ("XGID=-BBBCCB-----------bbccb-c-:0:0:1:00:0:0:0:0:10", "Double, pass"),
        ("XGID=-a-B--D-B---dE---c-e---AA-:0:0:1:00:0:0:0:0:10", "No double"),
    ],
)
def test_a_rollout_of_the_cube_has_one_best_action(
    open_page: Opened, xgid: str, best: str
) -> None:
    page = open_page(f"#xgid={xgid[5:]}")
    page.get_by_role("button", name="Rollout", exact=True).click()
    page.get_by_label("Trials").select_option(label="144")
    page.get_by_role("button", name="Roll out", exact=True).click()
    page.get_by_text("144 trials of 144").wait_for(timeout=LONG)
    rows = page.get_by_role("table", name="Rollout").locator("tbody tr").all()
    told = {row[0]: row for row in (cells(each).all_inner_texts() for each in rows)}
    assert list(told) == ["No double", "Double, take", "Double, pass"]
    assert [name for name, row in told.items() if row[3].strip() == "best"] == [best]
    for row in told.values():
        if row[0] != best:
            behind = number(row[1]) - number(told[best][1])
            assert number(row[3]) == pytest.approx(behind, abs=6e-4)


def test_the_best_action_is_named_in_a_review(open_page: Opened) -> None:
    page = open_page("#review")
    page.get_by_role("group", name="Depth of the review").get_by_role(
        "button", name="1"
    ).click()
    page.get_by_label("Match file").set_input_files(MATCH5)
    page.wait_for_selector("svg.graph .course")
    choose(page, "Kind", "Cube")
    choices = [
        each
        for each in gammon_study.review(MATCH5, depth=1).worst(most=None)
        if each.kind in ("double", "no double") and each.error > 0.001
    ]
    bests = set()
    for choice in choices:
        page.locator(f'[data-choice="{choice.game} {choice.action} {choice.kind}"]').click()
        rows = page.locator("table.candidates tbody tr")
        told = [cells(row).nth(2).inner_text().strip() for row in rows.all()]
        assert choice.values is not None
        no_double, *doubled = choice.values[:3]
        assert no_double != min(doubled)
        at = 0 if no_double > min(doubled) else 1 + doubled.index(min(doubled))
        assert [each == "best" for each in told] == [row == at for row in range(3)]
        made = 0 if choice.kind == "no double" else 1 + doubled.index(min(doubled))
        assert number(told[made]) == -round(choice.error, 3)
        bests.add(at)
    assert bests == {0, 1, 2}
