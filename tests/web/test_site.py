"""The page without a server answers what the server answers; its modules in Node."""

import gzip
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from gammon.formats.play import legal_plays
from tests.adapters.embed.questions import asked
from tests.processes import ROOT
from tests.web.asking import API, post
from tests.web.conftest import opened
from tests.web.hands import start, type_play
from tests.web.sites import ASK, MATCH, Engine, Question, differs, first_play, server_answer

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
#: A double that costs nothing, a cube that is the highest, and a game in which nothing can be won.
NOTED = (
    "XGID=-bCDBB--B--------bbeBb--b-:0:0:1:00:3:6:0:7:10",
    "XGID=---ac-FaBaB-cCA--A-e--a---:6:1:1:00:0:0:0:0:10",
    "XGID=-----BC----------------a--:0:0:1:00:3:6:0:7:10",
)
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
    # Editors, mails and keyboards change IDs.
    f"XGID={BOARD}:1:1:-1:31:2:3:0:7:10".replace("--", "\N{EM DASH}"),
    f"XGID={BOARD}:1:1:-1:31:2:3:0:7:10".replace(":", "\N{FULLWIDTH COLON}"),
    f"XGID={BOARD[:9]}\N{ZERO WIDTH SPACE}{BOARD[9:15]}\n{BOARD[15:]}:1:1:-1:31:2:3:0:7:10",
    "OGID=11cccc\nchhhjjjjj:66666888 dddddoo:W1N:31:B:R:2:1:5:0:15", "4HPwATDgc /ABMA:cAkA\nAAAAAAAE",
    "https://x.org/4HPwATDgc/ABMA", "It is 4HPwATDgc/ABMA:QYkqASAAIAAA.",
)  # fmt: skip
#: Texts that are refused.
REFUSED = (
    "4HPwATDgc/ABMA:xyz", f"XGID={BOARD}-:0:0:1:31:0:0:0:0:10", f"XGID={BOARD}:16:0:1:31:0:0:0:0:10",
    "XGID=---------------------BBaa-:0:0:1:00:7:6:0:7:10",
    "XGID=-P------------------------:0:0:1:00:0:0:0:0:10",
    "XGID=AAA-----------------------:0:0:1:00:0:0:0:0:10", f"XGID={BOARD}:7:1:1:31:0:0:0:0:10",
    f"XGID={BOARD}:0:1:1:31:0:0:0:0:10", f"XGID={BOARD}:1:1:1:31:6:3:1:7:10",
    f"XGID={BOARD}:0:0:1:31:0:0:0:99:10", "hello",
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
        *(("get", "analyze", {"id": each, "depth": 3}) for each in NOTED),
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
def test_it_answers_as_the_server_does(engine: Engine, whole: bool) -> None:
    every = questions(whole)
    own = engine(questions=every)["answers"]
    wrong = [
        f"{question}: {each}"
        for question, answer in zip(every, own, strict=True)
        for each in differs(answer, server_answer(question))
    ]
    assert not wrong, "\n".join(wrong[:40])


def test_it_refuses_positions_in_the_words_of_the_server(engine: Engine) -> None:
    own = engine(questions=[("words", "position", {"text": text}) for text in REFUSED])["answers"]
    assert own == [post(f"{API}/position", {"text": text}).error["message"] for text in REFUSED]


def test_the_page_asks_that_engine(page: Any, engine: Engine) -> None:
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
