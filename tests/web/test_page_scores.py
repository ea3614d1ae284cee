"""The table by score: what the engine says of each, and a press on a cell leads there."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import gammon

Opened = Callable[..., Any]

CUBE = "XGID=-b---BDAC---dC---c-d-b--B-:0:0:1:00:0:0:0:0:10"
#: O is on roll, so that scores by seat are the other way round.
PLAY = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:21:0:0:0:0:10"
#: The rows of the cube's places, with X on roll.
PLACES = {"Cube centred": "cube-centred", "X's cube": "cube-mine", "O's cube": "cube-theirs"}
AWAYS = [(own, their) for own in range(1, 8) for their in range(1, 8)]


def cells(page: Any, xgid: str) -> list[str]:
    """The names of all cells, row by row."""
    page.get_by_role("button", name="By score").click()
    page.wait_for_selector(".rolls tbody button")
    names: list[str] = page.locator(".rolls tbody button").evaluate_all(
        "(all) => all.map((each) => each.getAttribute('aria-label'))"
    )
    return names


def grid_of(xgid: str) -> Any:
    position = gammon.Position.parse(xgid)
    return gammon.Engine(depth=3).answer(
        gammon.Question(position=position, depth=3, scores=7, owners=True)
    )


def test_decisions_about_the_cube(open_page: Opened) -> None:
    page = open_page("#" + CUBE.replace("XGID", "xgid"))
    grid = grid_of(CUBE)
    found = cells(page, CUBE)
    for (own, their), name in zip(AWAYS, found, strict=True):
        decision = grid.scores[own, their]
        words = f"X needs {own}, O needs {their}: {decision.verdict}"
        assert name.startswith(words)
        if decision.gain is not None and decision.answer is not None:
            gain = f"{decision.gain:+z.3f}".replace("-", "−")
            assert name == f"{words} ({gain})"
    assert len({name.split(": ")[1] for name in found}) > 5
    text = page.locator(".results .results").inner_text()
    assert re.search(rf"Money\s+{grid.named['money'].verdict}", text)
    for name, key in PLACES.items():
        assert re.search(rf"{name}\s+{re.escape(grid.named[key].verdict)}", text), name
    page.locator(".rolls tbody button").nth(AWAYS.index((3, 5))).click()
    page.wait_for_function("() => /:0:0:1:00:2:0:0:5:10$/.test(location.hash)")
    page.get_by_text("match to 5").first.wait_for()


def test_best_plays(open_page: Opened) -> None:
    page = open_page("#" + PLAY.replace("XGID", "xgid"))
    grid = grid_of(PLAY)
    found = cells(page, PLAY)
    plays = [grid.scores[away].candidates[0].play.notation for away in AWAYS]
    assert found == [
        f"O needs {own}, X needs {their}: {play}"
        for (own, their), play in zip(AWAYS, plays, strict=True)
    ]
    assert len({*plays}) > 1
    # A letter is one play, and the key says which; A is the best one for money.
    letters = page.locator(".rolls tbody button").all_inner_texts()
    key = dict(zip(letters, plays, strict=True))
    assert len(key) == len({*plays})
    assert key["A"] == grid.named["money"].candidates[0].play.notation
    text = page.locator(".results .results").inner_text()
    assert all(f"{letter} {play}" in text for letter, play in key.items())
    first = grid.plays[0]
    for name, key in (("O's cube", "cube-mine"), ("X's cube", "cube-theirs")):
        found = grid.named[key].candidates
        lost = next(each.loss for each in found if each.play.notation == first)
        words = re.escape(found[0].play.notation) + rf" \(A loses {lost:.3f}\)" * (lost > 0)
        assert re.search(rf"{name}\s+[A-Z] {words}", text), name
    page.locator(".rolls tbody button").nth(AWAYS.index((3, 5))).click()
    page.wait_for_function("() => /:0:0:-1:21:0:2:0:5:10$/.test(location.hash)")


#: Words that are wider than the cell that holds them.
TOO_WIDE = """() => [...document.querySelectorAll(".rolls td button > *")].filter((words) => {
    const text = document.createRange();
    text.selectNodeContents(words);
    return text.getBoundingClientRect().width > words.parentElement.clientWidth;
}).map((words) => words.textContent)"""


@pytest.mark.parametrize(
    ("width", "height"), [(320, 568), (640, 360), (720, 450), (360, 740), (1280, 900)]
)
def test_no_cell_runs_into_the_next_one(open_page: Opened, width: int, height: int) -> None:
    page = open_page("#" + CUBE.replace("XGID", "xgid"), width=width, height=height)
    page.get_by_role("button", name="Depth 1").click()
    for view in ("All rolls", "By score"):
        page.get_by_role("button", name=view).click()
        page.get_by_role("region", name=view).locator(".rolls tbody button").first.wait_for()
        assert page.evaluate(TOO_WIDE) == [], view
        assert page.evaluate("document.documentElement.scrollWidth") == width, view
