"""The page without a server: the engine in it answers what the server answers."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from gammon.answers.play import legal_plays
from gammon.reviews.choice import ALIKE
from gammon.reviews.review import review
from gammon.shown import to_json
from tests.core.questions import asked
from tests.matches import HAND
from tests.wasm import unbuilt
from tests.web.folder import served

pytestmark = pytest.mark.skipif(unbuilt() != "", reason=unbuilt())

#: Asks the page's own interface; an error is its message.
ASK = """async (questions) => {
  const { get, post, stream } = await import("./static/js/api.js");
  const answers = [];
  for (const [how, path, asked] of questions) {
    const events = [];
    const answer = (data) => events.push(data);
    const heard = { answer, progress: (data) => (events[0] = data) };
    const { signal } = new AbortController();
    const streamed = async () => (await stream(path, asked, heard, signal), events);
    const asking = { get, post, stream: streamed }[how](path, asked);
    answers.push(await asking.catch((error) => `${error.name}: ${error.code}`));
  }
  return answers;
}"""


#: The entries of answers that the page leaves out: it does not count its work, and searches
#: where the server knows the cube of a bearoff. Of a rollout it tells fewer settings.
_OTHERS = ("stats", "seconds", "algorithm", "settings")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page, in a folder of another server."""
    from gammon.web.site import write_site

    folder = tmp_path_factory.mktemp("site")
    write_site(folder / "some" / "where", "leaf")
    with served(folder) as address:
        yield f"{address}some/where/"


@pytest.fixture
def page(browser: Any, site: str) -> Iterator[Any]:
    """The page, and a look at what went wrong in it."""
    opened = browser.new_context(base_url=site)
    page, wrong = opened.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(site)
    yield page
    opened.close()
    assert not wrong


def differs(own: Any, other: Any, at: str = "") -> list[str]:
    """The places at which two answers differ by more than the rounding of sums."""
    if isinstance(own, dict) and isinstance(other, dict):
        if own.keys() != other.keys():
            return [f"{at}: {sorted(own.keys() ^ other.keys())}"]
        names = [name for name in own if name not in _OTHERS]
        return [
            each for name in names for each in differs(own[name], other[name], f"{at}.{name}")
        ]
    if isinstance(own, list) and isinstance(other, list) and len(own) == len(other):
        pairs = enumerate(zip(own, other, strict=True))
        return [each for n, (a, b) in pairs for each in differs(a, b, f"{at}[{n}]")]
    number = (int, float)
    if isinstance(own, number) and isinstance(other, number) and abs(own - other) < 1e-9:
        return []
    return [] if own == other else [f"{at}: {own!r} is not {other!r}"]


Question = tuple[str, str, dict[str, Any]]
#: Checkers of the opening in an XGID.
BOARD = "-b----E-C---eE---c-e----B-"
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
)  # fmt: skip
#: Bearoffs, races, and a position from the bar.
ENDS = (
    "XGID=--BBCB----------------cbb-:1:-1:1:21:0:0:1:0:10",
    "XGID=---BBCCB-----------dbbcb--:0:0:1:66:0:0:0:0:10",
    "XGID=aFC--B--------------c---dA:0:0:-1:65:2:4:0:5:10",
    "XGID=-AB--------------------cb-:0:0:1:00:0:0:3:0:10",
)


def questions() -> list[Question]:
    """Questions of all kinds: name of the function, path, and what is asked."""
    found: list[Question] = [("post", "position", {"text": text}) for text in TEXTS]
    for number, each in enumerate(asked(8, 11)):
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
                (
                    "stream",
                    "analyze/stream",
                    {"id": rolled.xgid, "level": "3", "top": 2, "play": play},
                ),
                ("get", "analyze", {"id": before, "depth": 1, "cubeless": True}),
                ("get", "rolls", {"id": rolled.xgid, "depth": 1}),
                ("get", "position", {"id": offered["id"]}),
                ("get", "turn", offered),
                ("get", "turn", {"id": offered["id"], "strength": 25, "noise_seed": number}),
                ("get", "analyze", offered),
                ("get", "analyze", {"id": before, "depth": 1, "scores": 3}),
                ("get", "analyze", {"id": rolled.xgid, "depth": 1, "scores": 2}),
            ]
    for xgid in ENDS:
        found += [
            (*to, {"id": xgid, "depth": 3}) for to in (("get", "analyze"), ("get", "turn"))
        ]
    won = [[], [1], [3, -4], [1, -2, 4, 1], [-5, 2, -1]]
    for length in (0, 5, 7):
        found += [
            ("post", "score", {"length": length, "jacoby": True, "won": each}) for each in won
        ]
    return [
        *found,
        ("get", "dice", {"seed": 7, "begin": 300, "count": 50}),
        ("get", "position", {"id": "4HPwATDgc/ABMA", "dice": "31"}),
        ("get", "analyze", {"id": "4HPwATDgc/ABMA", "dice": "31", "depth": 1, "play": ["8/4"]}),
        ("get", "analyze", {"id": "4HPwATDgc/ABMA", "dice": "31", "depth": 5}),
        ("get", "turn", {"id": "4HPwATDgc/ABMA", "dice": "41", "strength": 1}),
        ("post", "match", MATCH),
        *rollouts(),
    ]


def rollouts() -> list[Question]:
    """Rollouts, of which the last event counts, and levels that roll."""
    found: list[dict[str, Any]] = []
    for number, each in enumerate(asked(2, 21)):
        rolled = each.position.with_dice(each.dice).xgid
        same = {"seed": number, "trials": 36, "truncate": 4 * number}
        found += [
            {"id": rolled, "top": 3, **same}, {"id": each.position.xgid, **same},
            {"id": rolled, "top": 2, "cubeless": True, **same},
            {"id": each.position.xgid, "cubeless": True, **same},
        ]  # fmt: skip
    found[0]["trials"] = 360  # of which some plays get less
    close = "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10"
    cube = "XGID=-a-BBBC-C-a-dBa---c-d---A-:0:0:1:00:0:0:0:0:10"
    levels: list[Question] = [
        ("stream", "analyze/stream", {"id": close, "level": "roller", "play": ["24/21"]}),
        ("get", "analyze", {"id": cube, "level": "roller"}),
    ]
    return [*levels, *(("stream", "rollout/stream", each) for each in found)]


MATCH = {
    "length": 3, "names": ["Ann", "gammon"], "date": "2026.11.25",
    "games": [
        {
            "score": [0, 0], "winner": 1, "points": 1,
            "actions": [
                {"player": 0, "dice": "31", "play": "8/5 6/5"},
                {"player": 1, "dice": "66", "play": "24/18(2) 13/7(2)"},
                {"player": 0, "dice": "44", "play": "24/16(2)"},
                {"player": 1, "do": "double"}, {"player": 0, "do": "pass"},
            ],
        },
        {
            "score": [0, 1], "winner": 0, "points": 2,
            "actions": [
                {"player": 1, "dice": "21", "play": "13/11 6/5"},
                {"player": 0, "do": "double"}, {"player": 1, "do": "take"},
                {"player": 0, "dice": "53", "play": "8/3 6/3"},
                {"player": 1, "do": "resign", "points": 1},
            ],
        },
    ],
}  # fmt: skip


def test_it_answers_as_the_server_does(page: Any, server: str, browser: Any) -> None:
    every = questions()
    own = page.evaluate(ASK, every)
    opened = browser.new_context()
    other = opened.new_page()
    other.goto(server)
    theirs = other.evaluate(ASK, every)
    opened.close()
    wrong = [
        f"{question}: {each}"
        for question, a, b in zip(every, own, theirs, strict=True)
        for each in differs(a, b)
    ]
    assert not wrong, "\n".join(wrong[:40])


def shown(page: Any) -> Any:
    """The first row of the table of plays."""
    return page.locator("#analyze table tbody tr").first


def test_it_works_offline_after_the_first_visit(page: Any, site: str) -> None:
    shown(page).wait_for()
    kept = "navigator.serviceWorker.ready.then((found) => found.active.state)"
    assert page.evaluate(kept) in ("activating", "activated")
    page.context.set_offline(True)
    page.goto(site + "#xgid=-b----E-C---eE---c-e----B-:0:0:1:42:0:0:0:0:10")
    page.reload()
    shown(page).wait_for()
    assert "8/4 6/4" in shown(page).inner_text()


def test_a_search_that_nobody_wants_gives_way(page: Any) -> None:
    """A rollout of a minute is taken back: the next question does not wait for its end."""
    shown(page).wait_for()
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
    opened = browser.new_context()
    opened.route("**/gammon.engine.gz", lambda route: route.abort())
    page = opened.new_page()
    page.goto(site)
    page.get_by_text("cannot be fetched").first.wait_for()
    opened.close()


def test_an_old_browser_is_told_so(browser: Any, site: str) -> None:
    opened = browser.new_context()
    opened.add_init_script("delete globalThis.Worker")
    page = opened.new_page()
    page.goto(site)
    page.get_by_text("This browser cannot run the engine").first.wait_for()
    opened.close()


def test_a_review_needs_a_server_but_is_shown_where_it_was_saved(page: Any) -> None:
    page.get_by_role("tab", name="Review").click()
    page.get_by_text("a review of a match needs one").wait_for()
    found, odd = review(HAND, depth=1), {"xgid": 1, "error": 1, "player": 0, "themes": []}
    file = page.get_by_label("Match file")
    for name, text in (
        ("bad.json", "{}"), ("bad.html", "<p>nothing</p>"),
        ("odd.json", json.dumps({**to_json(found), "choices": [odd]})),
    ):  # fmt: skip
        file.set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        page.get_by_text(f"{name} has no review").wait_for()
    for name, text in (("a.json", json.dumps(to_json(found))), ("a.html", found.page())):
        file.set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        page.locator(".listed tbody tr").first.wait_for()
        wrong = sum(each.error >= ALIKE for each in found.choices)
        assert page.locator(".listed tbody tr").count() == wrong
        page.get_by_text("Roll it out").wait_for()
        page.get_by_role("button", name="Another match").click()


def test_a_match_is_played_against_the_engine(page: Any) -> None:
    page.get_by_role("tab", name="Play").click()
    page.locator("#start").click()
    turn = page.locator("#actions button:enabled", has_text="Roll")
    turn.or_(page.locator("#actions button", has_text="Undo")).first.wait_for()


def test_a_browser_without_vectors_gets_the_other_module(browser: Any, site: str) -> None:
    opened = browser.new_context()
    strange = gzip.compress(b"\0asm\1\0\0\0\xff")
    opened.route("**/gammon.wasm.gz", lambda route: route.fulfill(body=strange))
    page, asked = opened.new_page(), []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.goto(site)
    shown(page).wait_for()
    assert "gammon-plain.wasm.gz" in asked
    opened.close()


def test_a_thousand_questions_at_once_and_no_storage(browser: Any, site: str) -> None:
    opened = browser.new_context()
    opened.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })"
    )
    page = opened.new_page()
    page.goto(site)
    shown(page).wait_for()
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
    opened.close()


def test_another_worker_answers_where_one_was_killed(page: Any) -> None:
    shown(page).wait_for()
    said = page.evaluate(
        """async () => {
          const { Local } = await import("./static/js/local.js");
          const local = new Local("static/engine/nothing.js", (message) => new Error(message));
          const first = await local.ask("health", {}).catch((error) => error.message);
          local.source = "static/engine/worker.js";
          return [first, (await local.ask("health", {})).status];
        }"""
    )
    assert said[0].startswith("The engine in this page has stopped")
    assert said[1] == "ok"
