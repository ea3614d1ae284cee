"""Reviews in the page without a server: those of the server, and what a person sees of them."""

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gammon.base.errors import FormatError
from gammon.eval.equity import Probabilities
from gammon.formats.characters import decoded
from gammon.formats.position import Position
from gammon.view import to_json
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.transcript import Remark, Transcript
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind, ReviewedPlay
from gammon_study.reviews.explain import after_play, explained
from tests.adapters.embed.questions import named
from tests.damage import damages
from tests.matches import HAND, MATCH5, SAMPLE, random_match, reviewed_file, session
from tests.web.conftest import opened
from tests.web.hands import LONG, drop
from tests.web.sites import MATCH, Engine, differs, first_play, server_review


def reviews_of(texts: Sequence[str], engine: Engine) -> Iterator[tuple[Any, Any]]:
    """The page's review of each match and the server's."""
    for text, (told, own) in zip(texts, engine(matches=texts)["reviews"], strict=True):
        assert told[-1][0] == told[-1][1] and sorted(told) == told
        yield own, server_review(text)


def remarked() -> str:
    """A match with comments and marks on its actions, also on no row and behind names."""
    match = parse_mat(HAND.read_text())
    games = enumerate(match.games)
    places = [(number, place) for number, game in games for place in range(0, len(game.actions), 2)]
    remarks = {place: Remark(f"a comment; on {place}\nmore \\ of it", "bad") for place in places}
    text = format_mat(replace(match, remarks=remarks))
    text = text.replace("Game 2", "; below a game\n Game 2\n; on nothing")
    text = f'; [Comment "one"]\n; [Comment "two"]\n{text}'
    return text.replace("; Ann (bad)", "# nobody\n; Bob (very good)", 1)


def test_a_review_is_that_of_the_server(engine: Engine) -> None:
    """Every figure of it; also where the page itself has written the match."""
    written = engine(questions=[("post", "match", MATCH)])["answers"][0]
    resigned = format_mat(random_match(7, 6))
    money = random_match(0, 86)
    gammon = format_mat(Transcript(money.players, 0, money.games[:1]))
    single = gammon.replace("Wins 2 points", "Wins 1 point")
    assert single != gammon, "which shows the Jacoby rule"
    counted = format_mat(session(12_345, 1))  # as does this
    said: list[str] = []
    texts = (HAND.read_text(), remarked(), resigned, single, counted, written)
    for own, theirs in reviews_of(texts, engine):
        assert not differs(own, theirs)
        assert all(each["all"]["choices"] > 1 for each in own["players"])
        said += [choice["remark"] for choice in own["choices"] if choice["remark"]]
    assert [game["winner"] for game in own["games"]] == [1, 0]
    assert len(said) > 10 and {words[:5] for words in said} >= {"[bad]", "[very", "more "}, said


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of a golden table, without its notes."""
    lines = (Path(__file__).parents[1] / "golden" / name).read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def test_the_labelled_errors_have_the_reasons_of_python(engine: Engine) -> None:
    """Of each error of reasons.csv, and the themes of each position of themes.csv."""
    errors, wanted = [], []
    for row in rows_of("reasons.csv"):
        position = Position.parse(row["xgid"])
        plays = tuple(
            ReviewedPlay(row[name], 0.0, Probabilities(*map(float, row[chances].split())))
            for name, chances in (("best", "best_chances"), ("made", "made_chances"))
        )
        choice = Choice(
            0, 0, 0, ChoiceKind.PLAY, row["xgid"], row["made"], row["best"],
            float(row["loss"]), 0.0, True, True, 3, plays=plays,
        )  # fmt: skip
        wanted.append([*explained(choice, position)])
        compared = [
            {
                "points": after_play(position.points, each.play),
                "chances": each.probabilities,
                "equity": equity,
            }
            for each, equity in ((plays[1], 0.0), (plays[0], choice.error))
        ]
        errors.append([named(position), compared])
    for row in rows_of("themes.csv"):
        position = Position.parse(f"XGID={row['board']}:0:0:1:00:0:0:0:0:10")
        stays = {"points": position.points, "chances": [0.5, 0, 0, 0, 0], "equity": 0.0}
        errors.append([named(position), [stays]])
        alone = Choice(0, 0, 0, ChoiceKind.PLAY, "", "", "", 0.0, 0.0, True, True, 3)
        wanted.append([*explained(alone, position)])
    found = engine(errors=errors)["reasons"]
    assert found == [[why, list(themes)] for why, themes in wanted]
    assert sum(why != "" for why, _ in found) > 250


@pytest.mark.nightly
def test_a_long_review_is_that_of_the_server(engine: Engine) -> None:
    """Every figure, but where a bearoff is so small that the server has it in a table."""
    for own, theirs in reviews_of((SAMPLE.read_text(), format_mat(random_match(0, 1))), engine):
        assert not differs(own, theirs)
    [(own, theirs)] = reviews_of((MATCH5.read_text(),), engine)
    for one, another in zip(own["players"], theirs["players"], strict=True):
        for name in ("pr", "snowie_rate", "luck", "luck_value", "result"):
            assert one[name] == pytest.approx(another[name], abs=1e-5), name
        for name in ("choices", "counted", "active", "wrong", "marks"):
            assert one["all"][name] == another["all"][name], name
    assert own["figures"] == theirs["figures"]


#: Files that are damaged, and what is said of them.
DAMAGED = (
    ("hello", "no length of the match"),
    (" 7 point match", "no game"),
    (" 70 point match", "at most 64"),
    ("(;GM[6]", "need gammon on your own machine"),
    ('{"format":"BGF","version":"1.0"}\n', "need gammon on your own machine"),
    (" 7 point match\n Game 1\n Ann : 7  Bob : 2", "a score of 7"),
    (" 7 point match\n Game 1\n Ann", "expected both players"),
    ('; [Variation "Nackgammon"]\n 7 point match\n Game 1\n A : 0 B : 0', "only backgammon"),
    (" 7 point match\n Game 1\n A : 0 B : 0\n 1) 31: 8/5 7/5  42: 8/4 6/4", "not a legal play"),
    (" 7 point match\n Game 1\n A : 0 B : 0\n 1) 33: 8/5  42: 8/4 6/4", "two unlike dice"),
)
#: The second game goes on no further than its first line.
CUT = """ 5 point match
 Game 1
 Ann : 0                      Bob : 0
  1) 31: 8/5 6/5               Doubles => 2
  2) Drops
      Wins 1 point
 Game 2
 Ann : 0                      Bob : 2
  1)                           42: 8/4 6/4
  2) 31: 8/5 9/5               65: 24/13
"""


def test_a_game_that_is_cut_off_has_no_result(engine: Engine) -> None:
    hand = HAND.read_text()
    missing = hand.replace("Ann : 1 ", "Ann : 2 ")  # between its games
    matches = (CUT, hand, hand.replace("65: Bar/14", "65: 24/13 "), missing)
    (_, cut), *reviews = engine(matches=matches)["reviews"]
    assert "line 10: '8/5 9/5' is not a legal play of 31" in cut["notes"][0]
    assert [len(cut["games"]), cut["players"][0]["result"]] == [2, None]
    for (_, found), known in zip(reviews, (True, False, False), strict=True):
        for player in found["players"]:  # the luck of rolls that are left out is not known
            assert player["result"] is not None
            assert (player["luck_adjusted_result"] is not None) == known


def test_damaged_match_files_are_told_apart(page: Any) -> None:
    page.get_by_role("tab", name="Review").click()
    file = page.get_by_label("Match file")
    for text, said in DAMAGED:
        file.set_input_files({"name": "a.mat", "mimeType": "", "buffer": text.encode()})
        page.locator("#review .wrong", has_text=said).wait_for()


def test_a_match_is_reviewed_and_kept_as_a_page(page: Any, browser: Any, tmp_path: Path) -> None:
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="1", exact=True).click()
    page.get_by_label("Match file").set_input_files(SAMPLE)
    page.locator(".listed tbody tr").first.wait_for(timeout=LONG)
    assert "Amberdice01 and Jade1, match to 5" in page.locator("#review h2").first.inner_text()
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save as HTML").click()
    kept.value.save_as(tmp_path / "saved.html")
    with opened(browser, (tmp_path / "saved.html").as_uri()) as alone:
        alone.locator(".listed tbody tr").first.wait_for()


#: A game that the left player resigns, and the next score by which the left player has won.
RESIGNED = """ 5 point match
 Game 1
 Ann : 0                      Bob : 0
  1) 31: 8/5 6/5               52: 13/11 13/8
  2) Resigns
"""
SCORE = "Game 2\n Ann : 1   Bob : 0\n 1) 31: 8/5 6/5   52: 13/11 13/8\n Wins 1 point\n"


def test_damaged_files_have_the_games_that_the_server_reads(engine: Engine) -> None:
    files = (SAMPLE.read_bytes(), HAND.read_bytes())
    texts = [decoded(each.data) for file in files for each in damages(file, 60)]
    texts += [RESIGNED + "Wins 2 points\n", RESIGNED + SCORE]
    texts.append(CUT.replace("5 point", "0 point").replace("Bob : 2", "Bob : 32768"))
    expected: list[Any] = []
    for text in texts:
        try:
            games = parse_mat(text).games
        except FormatError:
            expected.append("Refusal")
            continue
        expected.append(
            [
                [
                    list(game.score.points),
                    game.score.crawford,
                    [str(a.kind) for a in game.actions],
                    game.winner,
                    game.points,
                ]
                for game in games
            ]
        )
    assert engine(texts=texts)["games"] == expected
    assert 5 < expected.count("Refusal") < len(texts) - 50


def test_a_review_can_be_stopped_and_leaves_the_engine_free(page: Any) -> None:
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="5", exact=True).click()
    page.get_by_label("Match file").set_input_files(MATCH5)
    page.wait_for_function("() => document.querySelector('#review progress')?.value > 0")
    page.get_by_role("tab", name="Analyze").click()
    first_play(page).wait_for()
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Stop").click()
    # Where the first look has finished already, its review stays.
    page.get_by_text("The review has stopped.").wait_for()
    assert page.locator("#review .card.progress").count() == 0


#: A game that was resigned before the first roll.
NO_CHOICE = " 1 point match\n\n Game 1\n Ann : 0  Bob : 0\n  1)\n      Wins 1 point\n"


def test_a_review_without_decisions_says_so(page: Any) -> None:
    drop(page, "none.mat", NO_CHOICE)
    page.locator("#review .rates").wait_for(timeout=LONG)
    assert page.locator("#status").inner_text() == "No decision is like that."


def test_a_level_of_the_server_is_not_asked_of_the_page(page: Any) -> None:
    """A server at the same address before had more of them, and the browser has kept one."""
    page.evaluate("localStorage['gammon.review'] = JSON.stringify('roller')")
    page.reload()
    page.get_by_role("tab", name="Review").click()
    depths = page.get_by_role("group", name="Depth of the review")
    assert depths.locator("[aria-pressed=true]").inner_text() == "3"
    drop(page, "none.mat", NO_CHOICE)
    page.locator("#review .rates").wait_for(timeout=LONG)


#: Counts how often the page is given to a service worker to keep.
COUNTED = """
window.kept = 0;
const { register } = ServiceWorkerContainer.prototype;
ServiceWorkerContainer.prototype.register = function (name) {
  kept++;
  return register.call(this, name);
};"""


def test_a_review_keeps_the_page_no_second_time(browser: Any, site: str) -> None:
    with opened(browser, site, lambda page: page.add_init_script(COUNTED)) as page:
        drop(page, "none.mat", NO_CHOICE)
        page.locator("#review .rates").wait_for(timeout=LONG)
        assert page.evaluate("kept") == 1


def test_a_review_is_shown_where_it_was_saved(page: Any) -> None:
    page.get_by_role("tab", name="Review").click()
    found, odd = reviewed_file(HAND), {"xgid": 1, "error": 1, "player": 0, "themes": []}
    file = page.get_by_label("Match file")
    for name, text in (
        ("bad.json", "{}"),
        ("bad.html", "<p>nothing</p>"),
        ("odd.json", json.dumps({**to_json(found), "choices": [odd]})),
    ):
        file.set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        page.locator("#status.wrong", has_text=f"{name} has no review").wait_for()
    explained = json.loads(json.dumps(to_json(found)))
    for each in explained["choices"]:
        each["explanation"] = "A take is worth -0.736."
    file.set_input_files({"name": "why.json", "mimeType": "", "buffer": json.dumps(explained).encode()})
    page.get_by_text("A take is worth −0.736.").wait_for()  # as its table writes it
    page.get_by_role("button", name="Another match").click()
    for name, text in (("a.json", json.dumps(to_json(found))), ("a.html", found.page())):
        file.set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        page.locator(".listed tbody tr").first.wait_for()
        wrong = sum(each.error >= ALIKE for each in found.choices)
        assert page.locator(".listed tbody tr").count() == wrong
        page.get_by_text("Roll it out").wait_for()
        # A file without a review leaves the one that is there as it was.
        told = page.locator("#review").inner_text()
        for wrong in ("{}", json.dumps({**to_json(found), "choices": [odd]})):
            drop(page, "bad.json", wrong)
            page.locator("#status.wrong", has_text="bad.json has no review").wait_for()
            assert page.locator("#review").inner_text() == told
            page.locator("#do-next").click()
            page.locator("#do-previous").click()
        page.get_by_role("button", name="Another match").click()
