"""The page's board is that of gammon.svg: each piece is drawn at the same place."""

import re
from collections.abc import Callable
from typing import Any

import pytest

import gammon
from gammon.view.svg.colours import COLOURS
from tests.engine.view.shown import parts

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


@pytest.mark.parametrize(
    ("xgid", "turned", "arrows", "hits"),
    [
        (MIDDLE, False, 2, 0), (MIDDLE, True, 2, 0), (BEAROFF, False, 1, 0),
        (PAIRS, False, 4, 0), (HIT, False, 2, 1), (OFF, False, 4, 0),
    ],
)  # fmt: skip
def test_it_is_drawn_as_in_python(
    open_page: Opened, xgid: str, turned: bool, arrows: int, hits: int
) -> None:
    page = open_page("#" + xgid.replace("XGID", "xgid"))
    page.wait_for_selector("tr.exact")
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
        assert both[0] == both[1], kind
    assert len(found["checkers"]) > 5
    assert (len(found["arrows"]), len(found["hits"])) == (arrows, hits)


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
            scheme.field, scheme.edge, *scheme.points, scheme.bar, scheme.x.fill, scheme.o.fill,
            scheme.arrow,
        )  # fmt: skip
        assert seen == [
            "rgb({}, {}, {})".format(*bytes.fromhex(colour[1:])) for colour in colours
        ], name


def test_places_have_names(open_page: Opened) -> None:
    page = open_page("#" + MIDDLE.replace("XGID", "xgid"))
    page.wait_for_selector("[aria-label='13 point, 3 of yours']")
    for name in (
        "24 point, empty", "12 point, 2 of the opponent's", "Your bar, 1",
        "Opponent's bar, empty", "Off, 2 of yours, 3 of the opponent's",
    ):  # fmt: skip
        assert page.get_by_role("button", name=name, exact=True).count() == 1, name
    assert page.get_by_role("img", name="Cube at 2, the opponent's").count() == 1
