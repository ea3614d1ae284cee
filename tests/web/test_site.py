"""The page without a server answers what the server answers; its modules in Node."""

import csv
import gzip
import json
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from gammon.base.errors import FormatError
from gammon.eval.equity import Probabilities
from gammon.formats.characters import decoded
from gammon.formats.play import legal_plays
from gammon.formats.position import Position
from gammon.view import to_json
from gammon_study.library.library import Library
from gammon_study.library.matches import match_list
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.transcript import Remark, Transcript
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind, ReviewedPlay
from gammon_study.reviews.explain import after_play, explained
from gammon_study.reviews.review import review
from gammon_web.app import make_app
from gammon_web.guard import Names
from gammon_web.limits import Limits
from tests.adapters.embed.questions import asked, named
from tests.damage import damages
from tests.engine.commands.program import run
from tests.matches import HAND, MATCH5, SAMPLE, SAMPLE_XG, random_match, session
from tests.processes import ROOT
from tests.web.asking import API, ask, post
from tests.web.conftest import opened
from tests.web.hands import LONG, drop, start, type_play
from tests.web.sites import ASK, MATCH, Question, differs, first_play, server_answer, server_review

# The modules of the page that need no browser: `js/` has their tests, which Node runs.

MODULES = Path("gammon_web/static")
TESTS = Path("tests/web/js")
#: Words of the server, which every language of the page knows.
NAMES = Path("gammon_study/reviews/names.py")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not here")
def test_their_tests_pass(tmp_path: Path) -> None:
    """In a folder that says that its files are modules: Node 18 and 20 take no guess."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for folder in (MODULES, TESTS):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / NAMES).parent.mkdir(parents=True)
    shutil.copy(ROOT / NAMES, tmp_path / NAMES)
    files = sorted(str(TESTS / path.name) for path in (ROOT / TESTS).glob("*.test.mjs"))
    done = subprocess.run(
        ["node", "--test", *files], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("\nok ") + done.stdout.count("\n✔ ") >= 30


# The page without a server: the engine in it answers what the server answers.

#: Checkers of the opening in an XGID.
BOARD = "-b----E-C---eE---c-e----B-"
#: Nobody owns a cube there.
CRAWFORD = f"XGID={BOARD}:0:0:1:31:6:3:1:7:10"
#: Doubles of a leader after the Crawford game, and such as the rules forbid.
OFFERED = tuple(
    f"XGID={BOARD}:{rest}" for rest in ("0:0:1:D:4:1:0:5:10", "0:0:1:D:4:1:1:5:10", "1:-1:1:D:0:0:0:5:10")
)
#: Beavers and raccoons on offer, which nobody answers here.
TURNED = tuple(f"XGID={BOARD}:1:1:1:{letter}:0:0:0:0:10" for letter in "BR")
#: Names of players that a match file cannot have as they are.
NAMED = (
    ["; Ann\u202e : 7", "\u200b"],
    ["x" * 59 + "  yz", "#1\u2028 \u200d : Bob"],
    [";Ann\u202e :\n 7", ""],
)
#: A game that is played by rules which its file must name.
RULED = {"jacoby": True, "cube": False, "actions": MATCH["games"][0]["actions"][:3]}
#: The same at a score at which the Crawford game may be, or have been; with the cube, too.
AT_TWO = RULED | {"score": [2, 0], "cube": True}
#: What GNU Backgammon writes: boards with IDs above them.
PASTED = Path(__file__).parents[1] / "golden" / "pasted"
#: Texts as people paste them, good ones and bad ones.
TEXTS = (
    "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cAkAAAAAAAAE", "4HPwATDgc/ABMA:xyz", "hello", "",
    "Position ID: 4HPwATDgc/ABMA  Match ID: cAkAAAAAAAAE", "AAAAAAAAAAAAAA", "//////////////",
    f"http://x.org/?XGID={BOARD}:1:1:-1:D:2:3:0:7:10", f"xgid={BOARD}:0:0:1:31:0:0:3:0:10",
    f"XGID={BOARD}:0:0:1:37:0:0:0:0:10", f"XGID={BOARD}:0:0:1:31:7:0:0:7:10",
    f"XGID={BOARD}:0:0:1:31:1:0:1:7:10", f"XGID={BOARD}:2:0:1:31:1:0:0:7:10",
    f"XGID={BOARD}:9:1:1:31:0:0:0:0:10", "XGID=-a-B--C-dE---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "XGID=AAA-----------------------:0:0:1:00:0:0:0:0:10",
    "XGID=-----aaa------------------:1:1:-1:00:0:0:1:0:10",
    "XGID=--------------------------:0:0:1:00:0:0:0:0:10",
    "XGID=-P------------------------:0:0:1:00:0:0:0:0:10",
    "XGID=a------------------------a:0:0:1:11:0:0:0:0:10",
    "013ccehhiijjkkk:44566688ddddmno:N0N:31:B:R:0:0:5:12",
    "see OGID=233ccehhiijjkkk:44566688ddddmno:W2N:52:W:R:3:4:5:13, it is mine",
    "cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11", "jjjq:666:D0N:31:B:R:6:5:7C:9",
    "ogid:11ccccchhhjjjjj:66666888dddddoo:N0N::W", "OGID=11c:66:N0N", "z11:66:N0N:31:B",
    "1ccc:1666:N0N:31:B:R:0:0:0:0", "1ccc:666:N0N:31:B:G:0:0:0:0", "1c:6:N1N:31:B:R:0:0:7:0",
    *(each.read_text(encoding="utf-8") for each in sorted(PASTED.glob("gnubg_*.txt"))),
    "4HPwATDgc/ABMA QYkqASAAIAAA", "4HPwATDgc/ABMA\r\n  QYkqASAAIAAA",
    "Position ID: 4HPwATDgc/ABMA, Match-ID= QYkqASAAIAAA",
    "4HPwATDgc/ABMA is the work of some intelligence",
    f"XGID={BOARD}:1:1:-1:31:2:3:0:7:10".replace("-", "\N{EN DASH}"),
    quote(quote(f"http://x.org/?XGID={BOARD}:1:1:-1:D:2:3:0:7:10")),
    f"XGID={BOARD}:0:0:1:31:2:1:3:0:6",
)  # fmt: skip
#: Bearoffs, races, and a position from the bar.
ENDS = (
    "XGID=--BBCB----------------cbb-:1:-1:1:21:0:0:1:0:10",
    "XGID=---BBCCB-----------dbbcb--:0:0:1:66:0:0:0:0:10",
    "XGID=aFC--B--------------c---dA:0:0:-1:65:2:4:0:5:10",
    "XGID=-AB--------------------cb-:0:0:1:00:0:0:3:0:10",
)


def questions(whole: bool) -> list[Question]:
    """Questions of all kinds, of eight positions or two: function, path, what is asked."""
    found: list[Question] = [("post", "position", {"text": text}) for text in TEXTS]
    for number, each in enumerate(asked(8 if whole else 2, 11)):
        position = each.position
        rolled, before = position.with_dice(each.dice), position.xgid
        found += [
            ("post", "position", {"text": rolled.xgid}),
            ("get", "position", {"id": before}),
            ("post", "position", {"text": f"{position.position_id}:{rolled.match_id}"}),
            ("get", "analyze", {"id": rolled.xgid, "depth": 1}),
            ("get", "analyze", {"id": before, "depth": 3}),
            ("get", "analyze", {"id": rolled.xgid, "depth": 1, "cubeless": True}),
            ("get", "turn", {"id": rolled.xgid, "depth": 1}),
            ("get", "turn", {"id": before, "depth": 1}),
            ("get", "turn", {"id": rolled.xgid, "strength": 4 + number, "noise_seed": number}),
            ("get", "turn", {"id": before, "strength": 27.5, "noise_seed": number}),
            ("get", "resign", {"id": before, "points": 1 + number % 3, "depth": 1}),
        ]
        if number % 2 == 0:
            legal = legal_plays(position, each.dice)
            play = [legal[-1].notation, legal[len(legal) // 2].notation]
            offered = {"id": before.replace(":00:", ":D:", 1), "depth": 1}
            found += [
                ("stream", "analyze/stream", {"id": rolled.xgid, "level": "3", "top": 2, "play": play}),
                ("get", "analyze", {"id": before, "depth": 1, "cubeless": True}),
                ("get", "rolls", {"id": rolled.xgid, "depth": 1}),
                ("get", "position", {"id": offered["id"]}),
                ("get", "turn", offered),
                ("get", "turn", {"id": offered["id"], "strength": 25, "noise_seed": number}),
                ("get", "analyze", offered),
                ("get", "analyze", {"id": before, "depth": 1, "scores": 3}),
                ("get", "analyze", {"id": rolled.xgid, "depth": 1, "scores": 2}),
                ("get", "analyze", {"id": before, "depth": 1, "owners": True}),
                ("get", "analyze", {"id": rolled.xgid, "depth": 1, "owners": True, "scores": 1}),
            ]
    for xgid in ENDS:
        found += [(*to, {"id": xgid, "depth": 3}) for to in (("get", "analyze"), ("get", "turn"))]
        found.append(("get", "resign", {"id": xgid, "points": 2, "depth": 1}))
    won = [[], [1], [3, -4], [1, -2, 4, 1], [-5, 2, -1]]
    for length in (0, 5, 7):
        found += [("post", "score", {"length": length, "jacoby": True, "won": each}) for each in won]
    return [
        *found,
        ("get", "dice", {"seed": 7, "begin": 300, "count": 50}),
        ("get", "position", {"id": "4HPwATDgc/ABMA", "dice": "31"}),
        ("get", "analyze", {"id": "4HPwATDgc/ABMA", "dice": "31", "depth": 1, "play": ["8/4"]}),
        ("get", "analyze", {"id": "4HPwATDgc/ABMA", "dice": "31", "depth": 5}),
        ("get", "turn", {"id": "4HPwATDgc/ABMA", "dice": "41", "strength": 1}),
        ("get", "analyze", {"id": CRAWFORD, "depth": 1, "owners": True}),
        *(
            (how, path, {"id": each, "depth": 1, **more})
            for each in (*OFFERED, *TURNED)
            for how, path, more in (
                ("get", "analyze", {"scores": 1}),
                ("get", "analyze", {"owners": True}),
                ("get", "analyze", {}),
                ("get", "analyze", {"cubeless": True}),
                ("get", "turn", {}),
                ("get", "resign", {"points": 1}),
                ("stream", "rollout/stream", {"trials": 36}),
            )
        ),
        ("post", "match", MATCH),
        *(("post", "match", MATCH | {"names": names}) for names in NAMED),
        ("post", "match", {"games": [RULED]}),
        ("post", "match", {"length": 3, "games": [AT_TWO]}),
        ("post", "match", {"length": 3, "games": [AT_TWO | {"crawford": True}, AT_TWO | {"score": [2, 1]}]}),
        *rollouts(whole),
    ]


def rollouts(whole: bool) -> list[Question]:
    """Rollouts, of which the last event counts, and one or two by a level that rolls."""
    found: list[dict[str, Any]] = []
    for number, each in enumerate(asked(2, 21)):
        rolled = each.position.with_dice(each.dice).xgid
        same = {"seed": number, "trials": 36, "truncate": 4 * number}
        found += [
            {"id": rolled, "top": 3, **same},
            {"id": each.position.xgid, **same},
            {"id": rolled, "top": 2, "cubeless": True, **same},
            {"id": each.position.xgid, "cubeless": True, **same},
        ]
    for rest in ("0:0:1:00:0:0:1:0:10", "0:0:1:00:0:0:0:0:10"):
        found.append({"id": f"XGID=bBBBBBBAB----------ccbbba-:{rest}", "trials": 36})
    found.append({"id": "XGID=-A----A-----------------a-:0:0:1:00:0:0:2:0:10", "trials": 36})
    found[0]["trials"] = 360 if whole else 144  # of which some plays get less
    close = "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10"
    cube = "XGID=-a-BBBC-C-a-dBa---c-d---A-:0:0:1:00:0:0:0:0:10"
    levels: list[Question] = [
        ("get", "analyze", {"id": cube, "level": "roller"}),
        ("stream", "analyze/stream", {"id": close, "level": "roller", "play": ["24/21"]}),
    ]
    return [*levels[: 1 + whole], *(("stream", "rollout/stream", each) for each in found)]


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_it_answers_as_the_server_does(engine: Callable[..., dict[str, Any]], whole: bool) -> None:
    every = questions(whole)
    own = engine(questions=every)["answers"]
    wrong = [
        f"{question}: {each}"
        for question, answer in zip(every, own, strict=True)
        for each in differs(answer, server_answer(question))
    ]
    assert not wrong, "\n".join(wrong[:40])


def test_the_page_asks_that_engine(page: Any, engine: Callable[..., dict[str, Any]]) -> None:
    """One question of each kind, and one that is refused, by way of the worker."""
    kinds = {(how, path): (how, path, asked) for how, path, asked in questions(False)[::-1]}
    few = [*kinds.values(), ("post", "position", {"text": "hello"})]
    refused = "Error: invalid_position"  # what a message from a worker makes of a refusal
    own = [
        refused if str(each) == "Refusal: invalid_position" else each
        for each in engine(questions=few)["answers"]
    ]
    assert not differs(page.evaluate(ASK, few), own)


def test_it_works_offline_after_the_first_visit(page: Any, site: str) -> None:
    first_play(page).wait_for()
    kept = "navigator.serviceWorker.ready.then((found) => found.active.state)"
    assert page.evaluate(kept) in ("activating", "activated")
    page.context.set_offline(True)
    page.goto(site + "#xgid=-b----E-C---eE---c-e----B-:0:0:1:42:0:0:0:0:10")
    page.reload()
    first_play(page).wait_for()
    assert "8/4 6/4" in first_play(page).inner_text()
    page.goto(site + "index.html")
    first_play(page).wait_for()


def test_the_page_for_a_review_says_that_it_has_none(page: Any, site: str) -> None:
    page.goto(site + "report.html")
    page.get_by_text("This page has no review inside.").wait_for()


def test_a_search_that_nobody_wants_gives_way(page: Any) -> None:
    """A rollout of a minute is taken back: the next question does not wait for its end."""
    first_play(page).wait_for()
    taken = page.evaluate(
        """async () => {
          const { get, stream } = await import("./static/js/api.js");
          const id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
          const stop = new AbortController();
          const asked = { id, trials: 36000, depth: 3 };
          const long = stream("rollout/stream", asked, {}, stop.signal);
          setTimeout(() => stop.abort(), 100);
          const said = await long.catch((error) => error.name);
          const { candidates } = await get("analyze", { id, depth: 1 });
          return [said, candidates[0].play];
        }"""
    )
    assert taken == ["AbortError", "8/5 6/5"]


def test_an_engine_that_cannot_be_had_is_said(browser: Any, site: str) -> None:
    def prepare(page: Any) -> None:
        page.context.route("**/gammon.engine.gz", lambda route: route.abort())

    with opened(browser, site, prepare, wrong=None) as page:
        page.get_by_text("cannot be fetched").first.wait_for()
        # The page asks again after a while.
        page.context.unroute("**/gammon.engine.gz")
        page.get_by_text("Offline, on your machine.").wait_for()


def test_an_old_browser_is_told_so(browser: Any, site: str) -> None:
    old = "delete globalThis.Worker"
    with opened(browser, site, lambda page: page.add_init_script(old)) as page:
        page.get_by_text("This browser cannot run the engine").first.wait_for()


def test_a_match_is_played_against_the_engine(page: Any) -> None:
    page.get_by_role("tab", name="Play").click()
    page.locator("#start").click()
    turn = page.locator("#actions button:enabled", has_text="Roll")
    turn.or_(page.locator("#actions button", has_text="Undo")).first.wait_for()


#: Notes which worker is asked what.
NOTED = """
window.noted = [];
let workers = 0;
window.Worker = class extends Worker {
  number = workers++;
  postMessage(question) {
    if (question) noted.push([this.number, question.path]);
    super.postMessage(question);
  }
};"""


def test_gammon_does_not_wait_for_the_tutor(browser: Any, site: str) -> None:
    at_once = "localStorage['gammon.pace'] = '0';"
    script = NOTED + at_once
    with opened(browser, f"{site}#play", lambda page: page.add_init_script(script)) as page:
        page.get_by_label("Tutor").select_option(label="Marks 0.03 and more")
        start(page, "Match to 5", 21)
        page.locator("#do-roll").click()
        type_play(page, "13/1* 13/1")
        page.locator("#tutor").get_by_text("very bad").wait_for()
        page.wait_for_function("() => noted.filter(([, path]) => path === 'turn').length > 1")
        noted = page.evaluate("noted")
    tutors = {number for number, path in noted if path == "analyze"}
    assert len(tutors) == 1
    assert (tutors.pop(), "turn") not in map(tuple, noted)


def test_a_browser_without_vectors_is_told(browser: Any, site: str) -> None:
    strange = gzip.compress(b"\0asm\1\0\0\0\xff")

    def prepare(page: Any) -> None:
        page.context.route("**/gammon.wasm.gz", lambda route: route.fulfill(body=strange))

    with opened(browser, site, prepare) as page:
        page.get_by_text("This browser is too old for the engine").first.wait_for()


def test_a_thousand_questions_at_once_and_no_storage(browser: Any, site: str) -> None:
    none = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })"
    opening = f"{site}#xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    with opened(browser, opening, lambda page: page.add_init_script(none)) as page:
        first_play(page).wait_for()
        found = page.evaluate(
            """async () => {
              const { get } = await import("./static/js/api.js");
              const rolls = [..."123456"].flatMap((a) => [..."123456"].map((b) => a + b));
              const id = "4HPwATDgc/ABMA";
              const ask = (_, at) => get("analyze", { id, dice: rolls[at % 36], depth: 1 });
              const answers = await Promise.all(Array.from({ length: 1000 }, ask));
              return answers.filter(({ dice }, at) => dice === rolls[at % 36]).length;
            }"""
        )
    assert found == 1000


def test_another_worker_answers_where_one_was_killed(page: Any) -> None:
    first_play(page).wait_for()
    said = page.evaluate(
        """async () => {
          const { Local } = await import("./static/js/local.js");
          const local = new Local("static/engine/nothing.js");
          const first = await local.ask("health", {}).catch((error) => error.message);
          local.source = "static/engine/worker.js";
          return [first, (await local.ask("health", {})).status];
        }"""
    )
    assert said[0].startswith("The engine in this page has stopped")
    assert said[1] == "ok"


# Reviews in the page without a server: those of the server, and what a person sees of them.

Engine = Callable[..., dict[str, Any]]


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
    matches = (CUT, hand, hand.replace("65: Bar/14", "65: 24/13 "))
    (_, cut), *reviews = engine(matches=matches)["reviews"]
    assert "line 10: '8/5 9/5' is not a legal play of 31" in cut["notes"][0]
    assert [len(cut["games"]), cut["players"][0]["result"]] == [2, None]
    for (_, found), known in zip(reviews, (True, False), strict=True):
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
    page.get_by_label("Match file").wait_for()


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
    found, odd = review(HAND, depth=1), {"xgid": 1, "error": 1, "player": 0, "themes": []}
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


# The library of the page without a server: it answers what the server's library answers.

#: Matches to 3 points, for money on a day of its own, and to 5 points.
KEPT = (
    HAND.read_text(),
    '; [EventDate "2026.11.2"]\n\n' + format_mat(random_match(0, 86)),
    SAMPLE.read_text(),
)


def kept(text: str, name: str, **more: Any) -> Question:
    """The question that adds a match."""
    body = json.dumps({"file": name, "data": b64encode(text.encode()).decode()})
    return ("stream", "library/add", {"body": body, "depth": 1, **more})


def selections() -> Iterator[dict[str, Any]]:
    for player in ({}, {"player": "ann"}, {"opponent": "Bob"}):
        yield from ({**player, **more} for more in ({}, {"length": 0}, {"since": "2026-11", "until": "2026"}))


def of_library() -> list[Question]:
    """Questions about a library: matches, groups, trends and errors of several selections."""
    found: list[Question] = []
    for few in selections():
        found.append(("get", "library/matches", few))
        for by in ("all", "player", "opponent", "year", "length", "match", "analysis", "kind", "theme"):
            found.append(("get", "study/stats", {**few, "by": by}))
        for part in ({}, {"theme": "race"}, {"kind": "cube"}, {"theme": "wrong double"}):
            found.append(("get", "study/stats", {**few, **part, "by": "player"}))
            found.append(("get", "study/trend", {**few, **part}))
            found.append(("get", "study/errors", {**few, **part, "count": 9}))
    found.append(("get", "study/errors", {"least": 0.01, "most": 0.2, "score": "3-5", "begin": 1}))
    return found


#: Entries that the page's library has not, or otherwise: it shows no margins, and has digests of its own.
_OWN = ("margin", "digest", "file", "added")


def without(answer: Any, names: tuple[str, ...] = _OWN) -> Any:
    if isinstance(answer, list):
        return [without(part, names) for part in answer]
    if isinstance(answer, dict):
        return {name: without(value, names) for name, value in answer.items() if name not in names}
    return answer


def test_its_library_answers_as_that_of_the_server(engine: Engine, tmp_path: Path) -> None:
    limits = Limits(depth=5, library=tmp_path / "library.db", editable=True)
    app, _ = make_app(limits, Names())
    names = "abc"
    for name, text in zip(names, KEPT, strict=True):
        post(f"{API}/library/add?depth=1", {"file": name, "data": b64encode(text.encode()).decode()}, app=app)
    post(f"{API}/library/rename", {"player": "gnubg", "name": "GNU"}, app=app)
    every = of_library()
    own = engine(
        questions=[
            *(kept(text, name) for name, text in zip(names, KEPT, strict=True)),
            ("post", "library/rename", {"player": "gnubg", "name": "GNU"}),
            *every,
        ]
    )["answers"]
    assert [added[-1]["what"] for added in own[:3]] == ["reviewed"] * 3
    wrong = []
    for question, answer in zip(every, own[4:], strict=True):
        _, path, given = question
        answered = ask(f"{API}/{path}", app=app, **given)
        theirs = answered.json if answered.status == 200 else f"Refusal: {answered.error['code']}"
        wrong += [f"{question}: {each}" for each in differs(without(answer), without(theirs))]
    assert not wrong, "\n".join(wrong[:40])


def test_its_library_has_each_match_once_and_keeps_out_what_was_removed(engine: Engine) -> None:
    whole = HAND.read_text()
    begun, *_ = whole.partition("Game 2")
    assert begun != whole
    first, *questions = kept(begun, "a"), kept(whole, "b"), kept(begun, "c")
    listed = ("get", "library/matches", {})
    names = {"player": "ann", "name": "Jo"}
    rename = ("post", "library/rename", names)
    *added, renamed, matches = engine(questions=[first, *questions, rename, listed])["answers"]
    assert [fate[-1]["what"] for fate in added] == ["reviewed", "continued", "already there"]
    assert renamed == {"matches": 1}
    (match,) = matches["matches"]
    assert match["players"] == ["Jo", "Bob"]
    gone = {"digest": match["digest"]}
    removed = [("post", "library/remove", gone), *questions, kept(whole, "d", again=True)]
    none = ("post", "library/remove", {"digest": "0"})
    nameless = ("post", "library/rename", names | {"name": " "})
    last = ("get", "library/match", gone)
    answers = engine(questions=[first, questions[0], *removed, none, nameless, last])["answers"]
    assert [fate[-1]["what"] for fate in answers[3:6]] == ["removed before", "reviewed", "continued"]
    assert answers[6:8] == ["Refusal: not_found", "Refusal: invalid_request"]
    assert answers[8]["players"][0]["name"] == "Ann"


def test_its_library_is_saved_and_added_elsewhere(engine: Engine, tmp_path: Path) -> None:
    filled = [kept(text, f"{name}.mat") for name, text in zip("abc", KEPT, strict=True)]
    names = ("post", "library/rename", {"player": "ann", "name": "Jo"})
    listed = ("get", "library/matches", {})
    save = ("get", "library/save", {})
    *_, packed, own = engine(questions=[*filled, names, save, listed])["answers"]
    merge = ("post", "library/merge", {"packed": packed})
    lacking = b64encode(gzip.compress(b'{"format": "gammon-library-1"}')).decode()
    bad = ("post", "library/merge", {"packed": lacking})
    cut = ("post", "library/merge", {"packed": packed[: len(packed) // 2 // 4 * 4]})
    refused, short, once, twice, taken = engine(questions=[bad, cut, merge, merge, listed])["answers"]
    assert refused == short == "Refusal: invalid_request"
    assert (once, twice) == ({"matches": 3, "left": 0}, {"matches": 0, "left": 0})
    assert without(taken) == without(own)
    file, library = tmp_path / "gammon-library.json.gz", tmp_path / "library.db"
    file.write_bytes(b64decode(packed))
    added = run("study", "add", str(file), "--library", str(library), "--depth", "1")
    assert added.output.startswith("3 reviewed;")
    with Library(library) as opened:
        assert match_list(opened).number == 3
    file.write_bytes(b64decode(packed)[:-9000])
    cut_off = run("study", "add", str(file), "--library", str(library))
    assert cut_off.exit_code == 1
    assert "expected a library that the page without a server saved" in cut_off.output


def test_damage_in_a_saved_library_is_left_out(engine: Engine) -> None:
    """Damaged matches are left out, and the library answers all questions afterwards."""
    filled = [kept(text, name) for name, text in zip("abc", KEPT, strict=True)]
    listed = ("get", "library/matches", {})
    *_, packed = engine(questions=[*filled, ("get", "library/save", {})])["answers"]

    def merge(**changes: Any) -> Question:
        library = json.loads(gzip.decompress(b64decode(packed))) | changes
        data = gzip.compress(json.dumps(library).encode())
        return ("post", "library/merge", {"packed": b64encode(data).decode()})

    first, second, third = json.loads(gzip.decompress(b64decode(packed)))["matches"]
    odd: list[Any] = [None, 5, {}, {"file": "a"}, first | {"text": "no match"}]
    odd += [
        first | {"review": first["review"] | changed}
        for changed in (
            {"schema_version": 1},
            {"games": 5},
            {"players": first["review"]["players"][:1]},
            *(
                {"choices": [first["review"]["choices"][0] | wrong]}
                for wrong in ({"themes": [5]}, {"themes": 5}, {"counted": None}, {"xgid": "x"}, {"player": 2})
            ),
        )
    ]
    names = {"ann": 5, "amberdice01": "", "jade1": "J\u202e", "x": "y" * 101}
    answers = engine(
        questions=[
            merge(matches=[*odd, third], called=names, removed=[5, "none"]),
            merge(matches=[second, *odd], called={"jade1": "other"}, removed=5),
            listed,
            ("get", "study/stats", {"by": "theme", "player": "J"}),
            ("get", "study/errors", {}),
        ]
    )["answers"]
    assert answers[:2] == [{"matches": 1, "left": len(odd)}] * 2
    players = {name for match in answers[2]["matches"] for name in match["players"]}
    assert {"Amberdice01", "J"} < players
    assert answers[3]["groups"] and answers[4]["count"] > 10


def swapped(match: Transcript) -> Transcript:
    """The match with the other player on the left."""
    games = tuple(
        replace(
            game,
            score=game.score._replace(points=game.score.points[::-1]),
            actions=tuple(action._replace(side=1 - action.side) for action in game.actions),
            winner=None if game.winner is None else 1 - game.winner,
        )
        for game in match.games
    )
    return replace(match, players=match.players[::-1], games=games)


def test_its_library_knows_matches_and_names_as_the_terminal_does(engine: Engine) -> None:
    """Sides swapped, dice in another order, and names that objects of JavaScript have."""
    text = HAND.read_text()
    other = text.replace("23: 24/21 6/4", "32: 24/21 6/4")
    assert other != text
    named = text.replace("Ann", "constructor").replace("Bob", "__proto__")
    answers = engine(
        questions=[
            kept(text, "a"),
            kept(other, "b"),
            kept(named, "c"),
            ("get", "library/matches", {}),
            ("get", "library/matches", {"since": "2026-1"}),
            ("get", "library/matches", {"until": "2026-02-30"}),
            ("get", "study/stats", {"by": "theme", "length": "x"}),
            ("get", "study/errors", {"least": "0,05"}),
            kept(text.replace("2026.02.03", "2026.02.30").replace("Ann", "Eve"), "d"),
            ("get", "library/matches", {"player": "eve"}),
            kept(format_mat(swapped(parse_mat(text))), "e"),
        ]
    )["answers"]
    whats = [fate[-1]["what"] for fate in (*answers[:3], answers[-1])]
    assert whats == ["reviewed", "already there", "reviewed", "already there"]
    players = [match["players"] for match in answers[3]["matches"]]
    assert players == [["Ann", "Bob"], ["constructor", "__proto__"]]
    assert answers[4:8] == ["Refusal: invalid_request"] * 4
    assert answers[9]["matches"][0]["played"] is None


def test_its_library_stays_in_the_browser(page: Any, tmp_path: Path) -> None:
    """Match files are added, listed, opened and removed; a new visit and a saved file have them."""
    tab = page.get_by_role("tab", name="Study")
    tab.click()
    page.get_by_label("Files").set_input_files([HAND, SAMPLE_XG])
    page.get_by_text("1 of 2 files added to your library.").first.wait_for()
    page.get_by_text("sample.xg is left out: Without a server").wait_for()
    page.reload()
    tab.click()
    page.get_by_role("button", name="Matches").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the library").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    page.get_by_role("button", name="Ann – Bob", exact=True).click()
    page.get_by_role("heading", name="Ann and Bob, match to 3").wait_for()
    tab.click()
    page.get_by_role("button", name="Matches").click()
    page.get_by_role("button", name="Remove").click()
    page.locator("dialog").get_by_role("button", name="Remove").click()
    page.get_by_text("0 matches.").wait_for()
    page.get_by_label("Add a saved library").set_input_files(file)
    page.get_by_text("0 matches added.").first.wait_for()  # the person has removed it
