"""Cube decisions, scores, tables and bars on the page, and positions set up by hand."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import gammon
from tests.matches import MATCH5, reviewed_file
from tests.web.hands import LONG, at_rest, choose, click, cut_short, drag, middle, start
from tests.web.test_page_play import checkers

# Decisions about the cube on the page: the table answers the player who must decide.

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


def test_a_beaver_has_its_row_and_its_loss(open_page: Opened) -> None:
    page = open_page("#xgid=-----AA-----------------a-:0:0:1:00:0:0:3:0:10")
    page.get_by_text("No double, beaver").first.wait_for()
    table = page.get_by_role("table", name="The decision about the cube")
    texts = [cells(row).all_inner_texts() for row in table.locator("tbody tr").all()]
    rows = {name: figures for name, *figures in texts}
    stay, take, beaver = (number(rows[name][0]) for name in ("No double", "Double, take", "Double, beaver"))
    assert beaver == pytest.approx(2 * take, abs=1.1e-3)
    assert number(rows["Double, beaver"][1]) == pytest.approx(beaver - stay, abs=1.1e-3)
    page.evaluate("location.hash = '#xgid=-----AA-----------------a-:0:0:1:D:0:0:3:0:10'")
    page.get_by_text(re.compile(r"The double loses 2\.000: .*double, beaver −2\.667")).wait_for()


def test_a_take_in_a_review_has_its_loss_and_the_best_answer(open_page: Opened) -> None:
    page = open_page("#review")
    page.get_by_role("group", name="Depth of the review").get_by_role("button", name="1").click()
    page.get_by_label("Match file").set_input_files(MATCH5)
    page.wait_for_selector("svg.graph .course", timeout=LONG)
    choose(page, "Kind", "Cube")
    (take,) = (
        each for each in reviewed_file(MATCH5).worst(most=None) if each.kind == "take" and each.error > 0.3
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
        pytest.param(
            "XGID=-a-B--D-B---dE---c-e---AA-:0:0:1:00:0:0:0:0:10", "No double", marks=pytest.mark.nightly
        ),
    ],
)
def test_a_rollout_of_the_cube_has_one_best_action(open_page: Opened, xgid: str, best: str) -> None:
    page = open_page(f"#xgid={xgid[5:]}")
    cut_short(page)
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
    page.get_by_role("group", name="Depth of the review").get_by_role("button", name="1").click()
    page.get_by_label("Match file").set_input_files(MATCH5)
    page.wait_for_selector("svg.graph .course", timeout=LONG)
    choose(page, "Kind", "Cube")
    choices = [
        each
        for each in reviewed_file(MATCH5).worst(most=None)
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
    assert bests >= {1, 2}


# The table by score: what the engine says of each, and a press on a cell leads there.

CUBE = "XGID=-b---BDAC---dC---c-d-b--B-:0:0:1:00:0:0:0:0:10"
#: O is on roll, so that scores by seat are the other way round.
PLAY = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:21:0:0:0:0:10"
#: The rows of the cube's places, with X on roll.
PLACES = {"Cube centred": "cube-centred", "X's cube": "cube-mine", "O's cube": "cube-theirs"}
AWAYS = [(own, their) for own in range(1, 8) for their in range(1, 8)]


def page_scores_cells(page: Any, xgid: str) -> list[str]:
    """The names of all cells, row by row."""
    page.get_by_role("button", name="By score").click()
    page.wait_for_selector(".rolls tbody button")
    names: list[str] = page.locator(".rolls tbody button").evaluate_all(
        "(all) => all.map((each) => each.getAttribute('aria-label'))"
    )
    return names


def grid_of(xgid: str) -> Any:
    position = gammon.Position.parse(xgid)
    return gammon.Engine(depth=3).answer(gammon.Question(position=position, depth=3, scores=7, owners=True))


def test_decisions_about_the_cube(open_page: Opened) -> None:
    page = open_page("#" + CUBE.replace("XGID", "xgid"))
    grid = grid_of(CUBE)
    found = page_scores_cells(page, CUBE)
    levels: list[int] = []
    for (own, their), name in zip(AWAYS, found, strict=True):
        decision = grid.scores[own, their]
        words = f"X needs {own}, O needs {their}: {decision.verdict}"
        assert name.startswith(words)
        if decision.gain is not None and decision.answer is not None:
            values = decision.no_double, decision.double_take, decision.double_pass
            named = zip(("no double", "double, take", "double, pass"), values, strict=True)
            equities = "; ".join(f"{action} {value.equity:+z.3f}" for action, value in named if value)
            assert name == f"{words} ({decision.gain:+z.3f}): {equities}".replace("-", "−")
            level = sum(abs(decision.gain) >= bound for bound in (0.02, 0.06))
            levels.append(level if decision.gain > 0 else -level)
    assert len({name.split(": ")[1] for name in found}) > 5
    assert len(set(levels)) > 2
    for level in set(levels):
        assert page.locator(f".rolls tbody button.level-{level}").count() >= levels.count(level)
    text = page.locator(".results .results").inner_text()
    assert re.search(rf"Money\s+{grid.named['money'].verdict}", text)
    for name, key in PLACES.items():
        assert re.search(rf"{name}\s+{re.escape(grid.named[key].verdict)}", text), name
    assert re.search(r"X's cube\s+(no )?redouble, [^:]*: no redouble [^;]*; redouble, take ", text)
    page.locator(".rolls tbody button").nth(AWAYS.index((3, 5))).click()
    page.wait_for_function("() => /:0:0:1:00:2:0:0:5:10$/.test(location.hash)")
    page.get_by_text("match to 5").first.wait_for()


def test_best_plays(open_page: Opened) -> None:
    page = open_page("#" + PLAY.replace("XGID", "xgid"))
    grid = grid_of(PLAY)
    found = page_scores_cells(page, PLAY)
    plays = [grid.scores[away].candidates[0].play.notation for away in AWAYS]
    assert found == [
        f"O needs {own}, X needs {their}: {play}" for (own, their), play in zip(AWAYS, plays, strict=True)
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


def test_no_cell_runs_into_the_next_one(open_page: Opened) -> None:
    page = open_page("#" + CUBE.replace("XGID", "xgid"))
    page.get_by_role("button", name="Depth 1").click()
    for view in ("All rolls", "By score"):
        page.get_by_role("button", name=view).click()
        page.get_by_role("region", name=view).locator(".rolls tbody button").first.wait_for()
        for width, height in ((320, 568), (640, 360), (720, 450), (360, 740), (1280, 900)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(TOO_WIDE) == [], (view, width)
            assert page.evaluate("document.documentElement.scrollWidth") == width, (view, width)


# Tables and bars of the page: what they are of, and what they mark.

MONEY = "#xgid=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
MATCH = "#xgid=-b----E-C---eE---c-e----B-:0:0:1:52:1:2:0:5:10"
HEADS = "(table) => [...table.querySelectorAll('th')].map((each) => each.textContent)"


def shown(page: Any, panel: str) -> tuple[str, str]:
    """The play that the table highlights, and that of the bars below."""
    chosen = page.locator(f"{panel} tr.chosen button").get_attribute("data-play")
    return chosen, page.locator(f"{panel} h3").inner_text().removeprefix("Chances after ")


def test_the_bars_of_a_hint_are_those_of_the_chosen_row(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Money games", 4)
    at_rest(page)
    page.locator("#do-hint").click()
    rows = page.locator("#play table.plays tbody tr")
    rows.first.wait_for()
    best, third = (rows.nth(at).locator("button").get_attribute("data-play") for at in (0, 2))
    assert shown(page, "#play") == (best, best)
    rows.nth(2).hover()
    assert shown(page, "#play") == (third, third)
    # The highlight goes when the mouse leaves, but stays with the focus.
    page.mouse.move(1, 1)
    assert shown(page, "#play") == (best, best)
    rows.nth(2).locator("button").focus()
    rows.nth(1).hover()
    page.mouse.move(1, 1)
    assert shown(page, "#play") == (third, third)


def test_a_match_has_its_own_unit_and_the_chance_to_win_it(open_page: Opened) -> None:
    page = open_page(MATCH)
    page.wait_for_selector("tr:is(.exact, .bounded)")
    heads = page.locator("table.plays").evaluate(HEADS)
    assert heads == ["Play", "EMG", "Loss", "Win %", "Match %", "Value"]
    page.get_by_role("button", name="All rolls").click()
    page.get_by_text("on average over all rolls").wait_for()
    assert page.locator(".results p").first.inner_text().startswith("EMG")
    page = open_page(MONEY)
    page.wait_for_selector("tr:is(.exact, .bounded)")
    assert page.locator("table.plays").evaluate(HEADS)[1] == "Equity"


def test_all_rolls_have_the_depth_that_is_pressed(open_page: Opened) -> None:
    page = open_page(MONEY)
    page.get_by_role("button", name="All rolls").click()
    page.get_by_text("on average over all rolls, depth 3").wait_for()
    assert page.locator("[aria-pressed=true]", has_text="Depth").all_inner_texts() == ["Depth 3"]
    assert "depth 5" not in page.locator("#analyze").inner_text()
    page.locator("table.rolls button").first.hover()
    assert page.locator("#board .arrow").count() > 0
    page.mouse.move(1, 1)
    assert page.locator("#board .arrow").count() == 0


def rolled(name: str, loss: float, jsd: float) -> dict[str, Any]:
    """A candidate of a rollout."""
    return {
        "name": name,
        "equity": -loss,
        "error": 0.02,
        "loss": loss,
        "may_be_best": jsd < 1.96,
        "mwc": None,
        "trials": 144,
        "dropped": False,
    }


def test_noise_of_a_rollout_is_not_marked(open_page: Opened) -> None:
    page = open_page(MONEY)
    page.wait_for_selector("tr:is(.exact, .bounded)")
    candidates = [rolled("best", 0, 0), rolled("noise", 0.07, 1.9), rolled("sure", 0.07, 2.1)]
    told = json.dumps(
        {"xgid": MONEY, "candidates": candidates, "trials": 144, "games": 144, "cubeful": True, "notes": []}
    )
    body = f"event: progress\ndata: {told}\n\nevent: done\ndata: {{}}\n\n"
    page.route("**/rollout/stream*", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    click(page, "Rollout", "Roll out")
    rows = page.locator(".rollout tbody tr")
    rows.nth(2).wait_for()
    marks = rows.locator(".sign").all_inner_texts()
    assert marks == ["", "", "?"]
    assert page.get_by_text("Fewer than 324 trials").count() == 1


@pytest.mark.parametrize("close", [False, True])
def test_the_server_says_what_is_close(open_page: Opened, close: bool) -> None:
    page = open_page(MONEY)
    page.wait_for_selector("tr:is(.exact, .bounded)")
    value = {"equity": 0.5, "mwc": None, "kind": "exact"}
    cube = {
        "no_double": value,
        "double_take": value | {"equity": 0.6},
        "double_pass": value,
        "verdict": "double, take",
        "action": "double",
        "close": close,
        "answer_close": False,
    }
    shares = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
    chances = dict.fromkeys(shares, 0.1)
    answer = {
        "depth": 5,
        "notes": [],
        "cube": cube,
        "equity": 0.5,
        "probabilities": chances,
        "terms": {"owner": 0},
        "xgid": MONEY.replace(":52:", ":00:"),
    }
    told = json.dumps(answer)
    body = f"event: answer\ndata: {told}\n\nevent: done\ndata: {{}}\n\n"
    page.route("**/analyze/stream*", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    page.locator("#do-no-dice").click()
    page.wait_for_selector(".verdict")
    expected = "double, take" + ", the double close" * close
    assert page.locator(".verdict").inner_text().lower() == expected


# Setting a position up by hand: what is refused is said, and checkers are dragged.


@pytest.fixture
def page(open_page: Opened) -> Any:
    """The page with the opening, to be changed."""
    page = open_page("#xgid=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:0:7:10")
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Opening", exact=True).wait_for()
    return page


def said(page: Any) -> str:
    words: str = page.locator("#status").inner_text()
    return words


def refused(page: Any) -> str:
    """What is said, as something that is wrong."""
    page.wait_for_selector("#status.wrong")
    return said(page)


def test_a_sixteenth_checker_is_refused_in_words(page: Any) -> None:
    page.mouse.click(*middle(page, "5"))
    assert "All 15 checkers of X are on the board" in refused(page)
    # Nor do they drive away those of the other side.
    page.mouse.click(*middle(page, "12"))
    assert "All 15 checkers of X are on the board" in refused(page)
    assert page.get_by_label("12 point, 5 of the opponent's").count() == 1


def test_a_checker_is_dragged(page: Any) -> None:
    drag(page, "6", "5")
    assert (checkers(page, "6"), checkers(page, "5")) == (4, 1)
    drag(page, "6", "12")
    assert "checkers of the other side" in refused(page)
    drag(page, "6", "0")
    assert "half of the bar" in refused(page)
    drag(page, "6", "off")
    assert "1 of X and 0 of O off" in said(page)
    drag(page, "1", "2")
    assert page.get_by_label("2 point, 1 of the opponent's").count() == 1


def test_checkers_that_are_missing_are_asked_for(page: Any) -> None:
    """Nobody is borne off in silence, and has won by that."""
    click(page, "Empty board")
    page.mouse.click(*middle(page, "4"))
    missing = 15 - checkers(page, "4")
    page.get_by_role("button", name="Done").click()
    assert said(page) == (f"{missing} checkers of X and 15 checkers of O are not on the board. Borne off?")
    page.get_by_role("button", name="Go on setting up").click()
    assert checkers(page, "4") == 15 - missing
    click(page, "Opening")
    drag(page, "6", "off")
    page.get_by_role("button", name="Done").click()
    assert said(page) == "1 checker of X is not on the board. Borne off?"
    page.get_by_role("button", name="Borne off").click()
    page.get_by_role("button", name="Set up").wait_for()
    assert page.evaluate("location.hash").startswith("#xgid=-b----D-C---eE---c-e----B-:")
    # They are off now: nothing more is asked, whoever has which side.
    click(page, "Set up", "Exchange sides", "Done")
    page.get_by_role("button", name="Set up").wait_for()


def test_nobody_owns_a_cube_at_1(page: Any) -> None:
    cube, owner = (page.locator(f'label:has(span:text-is("{name}")) select') for name in ("Cube", "Cube of"))
    owners = owner.locator("option")
    assert owners.all_inner_texts() == ["nobody"]
    cube.select_option(label="2")
    assert owners.all_inner_texts() == ["nobody", "X", "O"]
    owner.select_option(label="O")
    cube.select_option(label="1")
    assert owners.all_inner_texts() == ["nobody"]
    click(page, "Done")
    page.get_by_role("button", name="Set up").wait_for()
    assert page.evaluate("location.hash").endswith(":0:0:1:31:4:2:0:7:10")


def test_the_right_button_puts_the_other_side(page: Any) -> None:
    page.get_by_role("button", name="Empty board").click()
    assert said(page) == "The board is empty."
    x, y = middle(page, "5")
    page.mouse.click(x, y, button="right")
    assert page.locator(".layer-checkers [data-point='5'].o").count() > 0
    page.mouse.click(*middle(page, "4"))
    assert checkers(page, "4") > 0


def test_what_nobody_touches_stays(open_page: Opened) -> None:
    page = open_page("#xgid=-b----E-C---eE---c-e----B-:1:1:1:31:4:2:0:7:6")
    click(page, "Set up", "Done")
    page.get_by_role("button", name="Set up").wait_for()
    assert page.evaluate("location.hash").endswith(":1:1:1:31:4:2:0:7:6")


def test_the_words_on_another_board_end_with_it(open_page: Opened) -> None:
    page = open_page()
    told = page.locator("#told")
    told.get_by_text("Best by depth").wait_for(state="attached")
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Empty board").wait_for()
    assert told.inner_text() == ""


def test_a_double_on_offer_is_no_roll_and_stays(open_page: Opened) -> None:
    page = open_page("#xgid=-b----E-C---eE---c-e----B-:1:1:1:D:4:2:0:7:6")
    assert page.get_by_label("undefined").count() == 0
    page.get_by_role("button", name="Set up").click()
    dice = page.get_by_role("textbox", name="Dice", exact=True)
    assert dice.input_value() == ""
    click(page, "Done", "Set up")
    assert page.evaluate("location.hash").endswith(":1:1:1:D:4:2:0:7:6")
    dice.fill("3")
    dice.fill("")
    page.get_by_role("button", name="Done").click()
    page.wait_for_function("() => /:1:1:1:00:4:2:0:7:6$/.test(location.hash)")


def test_fields_say_what_they_do_not_take(page: Any) -> None:
    page.get_by_role("textbox", name="Dice", exact=True).fill("77")
    assert "“77” is not a roll" in refused(page)
    page.get_by_label("Match to (0: money)").fill("99")
    assert "from 0 to 64" in refused(page)
    # A field that is right again is no longer said to be wrong.
    page.get_by_label("Match to (0: money)").fill("0")
    assert page.locator("#status.wrong").count() == 0
    for dice in ("77", "3"):
        page.get_by_role("textbox", name="Dice", exact=True).fill(dice)
        page.get_by_role("button", name="Done").click()
        assert f"“{dice}” is not a roll" in refused(page)
        assert page.evaluate("document.activeElement.value") == dice
    # Money has no score.
    page.get_by_role("textbox", name="Dice", exact=True).fill("31")
    page.get_by_role("button", name="Done").click()
    page.wait_for_function("() => /:0:0:0:0:10$/.test(location.hash)")
