"""The page's board is that of gammon.svg, also as an element of another page."""

import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import gammon
from gammon.view.svg.layout import COLOURS
from tests.engine.view.shown import parts
from tests.processes import ROOT
from tests.web.conftest import opened
from tests.web.folder import served
from tests.web.hands import drag, middle

# The page's board is that of gammon.svg: each piece is drawn at the same place.

Opened = Callable[..., Any]

MIDDLE = "XGID=-a-B-BC-A---bC---c-db-A--A:1:-1:1:52:3:5:0:7:10"
BEAROFF = "XGID=-BBG---------------A-edbb-:2:1:1:41:0:0:0:0:10"
#: Best are 24/18(2) 13/7(2), 8/2* 6/2 and 3/off(2) 2/off(2).
PAIRS = "XGID=-b----E-C---eE---c-e----B-:0:0:1:66:0:0:0:0:10"
HIT = "XGID=-ba---E-C---eE---b-e----B-:0:0:1:64:0:0:0:0:10"
OFF = "XGID=-CCB---------------bbcb---:0:0:1:66:0:0:0:0:10"

#: The shapes of each kind that are drawn, by their attributes.
DRAWN = """() => {
  const drawn = document.querySelector("#board").shadowRoot;
  const of = (selector, ...names) => [...drawn.querySelectorAll(selector)].map(
    (each) => names.map((name) => each.getAttribute(name)));
  return {
    points: of("polygon.point", "data-point", "points"),
    checkers: of(".checker > .disc", "cx", "cy"),
    off: of("rect.off", "x", "y", "width", "height"),
    trays: of("rect.tray", "x", "y", "width", "height"),
    dice: of(".die .face", "x", "y"),
    pips: of(".die .pip", "cx", "cy"),
    cube: of(".cube rect", "x", "y", "width", "height"),
    arrows: of(".arrow", "data-from", "data-to", "points"),
    hits: of(".hit .cross", "d"),
    numbers: of("text.number, text.count", "x", "y"),
  };
}"""


def numbers(text: str | None) -> list[float]:
    """The numbers of an attribute, rounded as drawings in Python are."""
    return [round(float(each), 1) for each in re.findall(r"-?\d+(?:\.\d+)?", text or "")]


def sorted_rows(rows: list[list[str | None]]) -> list[list[float]]:
    return sorted([number for each in row for number in numbers(each)] for row in rows)


def in_python(drawing: str) -> dict[str, list[list[str | None]]]:
    """The same of a drawing by gammon.svg."""

    def of(found: list[Any], *names: str) -> list[list[str | None]]:
        return [[each.get(name) for name in names] for each in found]

    checkers = [part for part in parts(drawing, "checker") if "off" not in part.get("class")]
    dice = parts(drawing, "die")
    box = "x", "y", "width", "height"
    return {
        "points": of(parts(drawing, "point"), "data-point", "points"),
        "checkers": of([part[0] for part in checkers], "cx", "cy"),
        "off": of([p for p in parts(drawing, "checker", "off") if "rect" in p.tag], *box),
        "trays": of(parts(drawing, "tray"), *box),
        "dice": of([die[0] for die in dice], "x", "y"),
        "pips": of([pip for die in dice for pip in die[1:]], "cx", "cy"),
        "cube": of([part[0] for part in parts(drawing, "cube")], *box),
        "arrows": of(parts(drawing, "arrow"), "data-from", "data-to", "points"),
        "hits": of([part[1] for part in parts(drawing, "hit")], "d"),
        "numbers": of([*parts(drawing, "number"), *parts(drawing, "count")], "x", "y"),
    }


def test_it_is_drawn_as_in_python(open_page: Opened) -> None:
    page = open_page()
    for xgid, turned, arrows, hits in (
        (BEAROFF, False, 1, 0),
        (PAIRS, False, 4, 0),
        (HIT, False, 2, 1),
        (OFF, False, 4, 0),
        (MIDDLE, False, 2, 0),
        (MIDDLE, True, 2, 0),
    ):
        page.goto(page.url.split("#")[0] + "#" + xgid.replace("XGID", "xgid"))
        page.wait_for_selector(f".id-of input[value='{xgid}']")
        page.wait_for_selector("tr:is(.exact, .bounded)")
        if turned:
            page.keyboard.press("t")
        notation = page.locator("tr.chosen td button").get_attribute("data-play")
        position = gammon.Position.parse(xgid)
        play = gammon.find_play(position, position.dice, notation)
        expected = in_python(gammon.svg.board(position, play=play, turned=turned))
        found = page.evaluate(DRAWN)
        for kind, rows in expected.items():
            both = sorted_rows(found[kind]), sorted_rows(rows)
            if kind == "hits":  # a stroke of a cross may be drawn from either end
                both = tuple([sorted(row) for row in each] for each in both)
            assert both[0] == both[1], (xgid, kind)
        assert len(found["checkers"]) > 5
        assert (len(found["arrows"]), len(found["hits"])) == (arrows, hits), xgid


#: The middles of all shapes that are drawn, but for dice, by their kinds.
MIDDLES = """() => {
  const drawn = document.querySelector("#board").shadowRoot;
  const of = (selector) => [...drawn.querySelectorAll(selector)].map((each) => {
    const { x, y, width, height } = each.getBBox();
    return [Math.round(10 * (x + width / 2)) / 10, Math.round(10 * (y + height / 2)) / 10];
  }).sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  return Object.fromEntries([
    ".point", ".disc", "rect.off", ".tray", ".bar", ".field", ".cube rect", ".number", ".arrow",
    "[data-place] rect",
  ].map((kind) => [kind, of(kind)]));
}"""
WIDE = 600


@pytest.mark.parametrize("turned", [False, True])
def test_checkers_are_borne_off_on_the_left_if_wanted(open_page: Opened, turned: bool) -> None:
    """All is seen as in a mirror, but dice stay in their half of the board."""
    page = open_page("#" + MIDDLE.replace("XGID", "xgid"))
    page.wait_for_selector("tr:is(.exact, .bounded)")
    if turned:
        page.keyboard.press("t")
    before = page.evaluate(MIDDLES)
    dice = page.evaluate(DRAWN)["dice"]
    page.get_by_label("Bear off on the left").check()
    after = page.evaluate(MIDDLES)
    (field,), (moved,) = before[".field"], after[".field"]
    aside = [[f"{float(x) + moved[0] - field[0]:g}", y] for x, y in dice]
    assert page.evaluate(DRAWN)["dice"] == aside
    for kind, spots in before.items():
        assert spots, kind
        mirrored = sorted([round(WIDE - x, 1), y] for x, y in spots)
        assert after[kind] == mirrored, kind
    # The keys follow what is seen, and the choice is kept.
    page.locator("[data-place='6']").focus()
    page.keyboard.press("ArrowRight")
    focused = "() => document.activeElement.shadowRoot.activeElement.dataset.place"
    assert page.evaluate(focused) == "0"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown" if turned else "ArrowUp")
    assert page.evaluate(focused) == "18"
    page.keyboard.press("Home")
    assert page.evaluate(focused) == "24"
    page.reload()
    page.wait_for_selector("tr:is(.exact, .bounded)")
    assert page.get_by_label("Bear off on the left").is_checked()
    assert min(page.evaluate(MIDDLES)[".tray"])[0] < WIDE / 2


def test_its_colours_are_those_of_python(open_page: Opened) -> None:
    page = open_page()
    page.locator(".arrow").first.wait_for()
    for name, scheme in COLOURS.items():
        page.locator("#theme").select_option(name)
        seen = page.evaluate(
            """() => {
              const seen = (kind, name) => getComputedStyle(
                document.querySelector("#board").shadowRoot.querySelector(kind))[name];
              return [
                seen(".field", "fill"), seen(".edge", "stroke"), seen(".point.odd", "fill"),
                seen(".point.even", "fill"), seen(".bar", "fill"), seen(".x .disc", "fill"),
                seen(".o .disc", "fill"), seen(".arrow", "fill"),
              ];
            }"""
        )
        colours = (
            scheme.field,
            scheme.edge,
            *scheme.points,
            scheme.bar,
            scheme.x.fill,
            scheme.o.fill,
            scheme.arrow,
        )
        assert seen == ["rgb({}, {}, {})".format(*bytes.fromhex(colour[1:])) for colour in colours], name


def test_places_have_names(open_page: Opened) -> None:
    page = open_page("#" + MIDDLE.replace("XGID", "xgid"))
    page.wait_for_selector("[aria-label='13 point, 3 of yours']")
    for name in (
        "24 point, empty",
        "12 point, 2 of the opponent's",
        "Your bar, 1",
        "Opponent's bar, empty",
        "Off, 2 of yours, 3 of the opponent's",
    ):
        assert page.get_by_role("button", name=name, exact=True).count() == 1, name
    assert page.get_by_role("img", name="Cube at 2, the opponent's").count() == 1


# The board as an element of a page that has nothing else of ours: the example of its page.

DOCUMENTATION = (ROOT / "docs" / "embed.md").read_text()
BOARD = ROOT / "gammon_web" / "static" / "board"
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
EMPTY = f"XGID={26 * '-'}:0:0:1:00:0:0:0:0:10"
#: Each event that is told, by its name and its detail.
HEAR = """(names) => {
    window.heard = [];
    for (const name of names)
        addEventListener(name, ({ detail }) => heard.push([name, detail]));
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of a folder that has the board's folder and the example."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(BOARD, folder / "board")
    example = re.search(r"```html\n(.*?)```", DOCUMENTATION, re.DOTALL)
    assert example is not None
    (folder / "index.html").write_text(example[1])
    with served(folder) as address:
        yield address


@pytest.fixture
def page(address: str, browser: Any) -> Iterator[Any]:
    """The example. It asks for nothing but its own files, and makes no error."""
    asked = []

    def prepare(page: Any) -> None:
        page.on("request", lambda request: asked.append(request.url))
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))

    with opened(browser, address, prepare, viewport={"width": 900, "height": 1300}) as page:
        page.locator("#opening .arrow").first.wait_for()
        page.evaluate(
            HEAR, ["point-press", "checker-drag", "dice-press", "position-change", "change-refused"]
        )
        yield page
    assert all(url.startswith((f"{address}board/", address)) for url in asked)


def name_of(page: Any, board: str, place: str) -> str:
    name: str = page.locator(f"#{board} [data-place='{place}']").get_attribute("aria-label")
    return name


def filled(page: Any, board: str, part: str) -> str:
    colour: str = page.locator(f"#{board} {part}").first.evaluate("(each) => getComputedStyle(each).fill")
    return colour


def test_it_shows_a_position_and_a_play(page: Any) -> None:
    assert page.locator("#opening .checker").count() == 30
    assert page.locator("#opening .arrow").count() == 2
    assert page.locator("#opening .die").count() == 2
    assert name_of(page, "opening", "13") == "13 point, 5 of yours"
    assert page.locator("#opening").get_by_role("button", name="Dice 3 and 1").count() == 1
    assert page.locator("gammon-checker .ring").count() == 1


def test_attributes_change_it(page: Any) -> None:
    board = page.locator("#opening")
    said: list[str] = []
    page.on("console", lambda each: said.append(each.text))
    for play in ("nonsense", "99/1"):
        board.evaluate("(each, play) => each.setAttribute('play', play)", play)
        assert page.locator("#opening .arrow").count() == 0
    board.evaluate("(each) => each.removeAttribute('play')")
    board.evaluate("(each, xgid) => each.xgid = xgid", OPENING.replace(":0:0:1:", ":99:0:1:"))
    assert page.locator("#opening .cube").count() == 0
    board.evaluate("(each) => each.setAttribute('turned', '')")  # says nothing again
    board.evaluate("(each) => each.removeAttribute('turned')")
    # A checker of each side on the other side's bar.
    board.evaluate("(each) => each.xgid = `XGID=A${'-'.repeat(24)}a:0:0:1:31:0:0:0:0:10`")
    assert page.locator("#opening .disc").count() == 0
    assert [each.rsplit('" ', 1)[1] for each in said] == ["is not a play."] * 2 + ["is not an XGID."] * 2
    board.evaluate("(each, xgid) => each.xgid = xgid", OPENING)
    low = middle(page, "6", "opening")[1]
    board.evaluate("(each) => each.setAttribute('turned', '')")
    assert middle(page, "6", "opening")[1] < low
    # The player on roll is at the bottom: O's 24 point is X's ace point.
    other = OPENING.replace("-b--", "-c--").replace("eE", "dE").replace("1:31", "-1:31")
    board.evaluate("(each, xgid) => each.xgid = xgid", other)
    assert name_of(page, "opening", "24") == "24 point, 3 of yours"
    board.evaluate("(each) => each.xgid = 'XGID=hello'")
    assert page.locator("#opening .disc").count() == 0
    board.evaluate("(each) => each.xgid = null")
    assert board.get_attribute("xgid") is None


def test_its_colours_are_properties(page: Any) -> None:
    assert filled(page, "opening", ".field") == "rgb(243, 234, 216)"
    assert filled(page, "mine", ".field") == "rgb(47, 107, 74)"
    page.emulate_media(color_scheme="dark")
    assert filled(page, "opening", ".field") == "rgb(243, 234, 216)", "the page is not dark"
    page.add_style_tag(content=":root { color-scheme: light dark } .field { fill: red }")
    assert filled(page, "opening", ".field") == "rgb(42, 48, 55)"


def test_it_is_mirrored(page: Any) -> None:
    board = page.locator("#opening")
    right = middle(page, "1", "opening")[0]
    board.evaluate("(each) => each.setAttribute('mirrored', '')")
    assert middle(page, "1", "opening")[0] < right
    board.evaluate("(each) => each.removeAttribute('mirrored')")
    assert middle(page, "1", "opening")[0] == right


def test_it_says_what_is_touched(page: Any) -> None:
    page.mouse.click(*middle(page, "8", "opening"))
    drag(page, "8", "5", "opening")
    page.locator("#opening").evaluate("(each) => each.setAttribute('movable', '')")
    drag(page, "8", "5", "opening")
    drag(page, "12", "11", "opening")  # of the opponent
    page.locator("#opening [aria-label='Dice 3 and 1']").click()
    assert page.evaluate("heard") == [
        ["point-press", {"place": 8}],
        ["checker-drag", {"from": 8, "to": 5}],
        ["dice-press", {}],
    ]
    assert page.locator("#opening").get_attribute("xgid") == OPENING


def test_a_position_is_set_up(page: Any) -> None:
    board = page.locator("#mine")
    assert board.get_attribute("xgid") == EMPTY
    x, y = middle(page, "6", "mine")
    page.mouse.click(x, y + 80)
    page.mouse.click(*middle(page, "4", "mine"), button="right")
    drag(page, "6", "5", "mine")
    found = board.get_attribute("xgid")
    assert page.evaluate("heard.at(-1)[1].xgid") == found
    assert page.locator("#message").inner_text() == found
    letters = found.removeprefix("XGID=").split(":")[0]
    assert letters[5] == "A"
    assert letters[4].islower()
    drag(page, "5", "4", "mine")
    assert "other side" in page.locator("#message").inner_text()
    assert board.get_attribute("xgid") == found
    board.evaluate("(each) => each.setAttribute('tool', 'o')")
    page.locator("#mine [data-place='20']").focus()
    page.keyboard.press("+")
    assert board.get_attribute("xgid").removeprefix("XGID=")[20] == "a"


def test_a_board_without_an_xgid_is_set_up_from_nothing(page: Any) -> None:
    board = page.locator("#mine")
    board.evaluate("(each) => { each.xgid = null; each.setAttribute('turned', ''); }")
    page.mouse.click(*middle(page, "6", "mine"))
    found = board.get_attribute("xgid")
    assert found.removeprefix("XGID=")[6].isupper()
    drag(page, "6", "0", "mine")
    assert page.locator("#message").inner_text() == "That half of the bar belongs to O."


def test_keys_go_from_place_to_place(page: Any) -> None:
    page.locator("#opening").evaluate("(each) => each.focus()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert page.evaluate("heard.at(-1)") == ["point-press", {"place": 0}]


def test_axe_finds_nothing(page: Any, axe: str) -> None:
    page.evaluate(axe)
    found = page.evaluate("axe.run()")["violations"]
    assert [each["id"] for each in found if each["id"] not in ("landmark-one-main", "region")] == []


def test_all_its_properties_are_documented() -> None:
    used = {*re.findall(r"var\((--board-[a-z-]+)", (BOARD / "board.css").read_text())}
    told = DOCUMENTATION.split("## Colours")[1]
    assert {*re.findall(r"`(--board-[a-z-]+)`", told)} == used


def test_its_folder_needs_nothing_beside_it() -> None:
    for path in BOARD.glob("*.js"):
        named = re.findall(r'(?:from |import |import\()"([^"]+)"', path.read_text())
        assert all(re.fullmatch(r"\./[a-z-]+\.js", each) for each in named), path.name
