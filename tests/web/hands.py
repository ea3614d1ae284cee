"""Hands for the page: how a player clicks, drags, drops, pastes and chooses."""

from collections.abc import Callable
from typing import Any

#: The places of the board's rows, from the left.
ROWS = (
    ["13", "14", "15", "16", "17", "18", "25", "19", "20", "21", "22", "23", "24"],
    ["12", "11", "10", "9", "8", "7", "0", "6", "5", "4", "3", "2", "1", "off"],
)

#: Milliseconds for what takes long on a machine that does much else: a rollout, or the start of
#: the engine in a page.
LONG = 60_000

#: Buttons that can be pressed now, and places that a checker can leave.
STATE = """() => ({
    can: [...document.querySelectorAll("#actions button:enabled")].map((each) => each.id),
    from: [...document.querySelector("#board").shadowRoot.querySelectorAll(".source")].map(
        (each) => each.dataset.point),
    said: document.getElementById("status").textContent,
})"""


def click(page: Any, *names: str, exact: bool = False) -> None:
    """Click on buttons by their names, one after the other."""
    for name in names:
        page.get_by_role("button", name=name, exact=exact).click()


def choose(page: Any, name: str, words: str) -> None:
    """Choose in one of the filters of a review."""
    page.locator(f'label:has(span:text-is("{name}")) select').select_option(label=words)


def drop(page: Any, name: str, text: str) -> None:
    """Drop a file on the page."""
    drop_all(page, {name: text})


def drop_all(page: Any, files: dict[str, str]) -> None:
    """Drop files on the page, given by their names and texts."""
    page.evaluate(
        """(files) => {
            const data = new DataTransfer();
            for (const [name, text] of Object.entries(files)) data.items.add(new File([text], name));
            dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }""",
        files,
    )


def cut_short(page: Any) -> None:
    """Let the games of rollouts end after two plies, where a test looks at the page and not at them."""
    page.context.route(
        "**/rollout/stream?*", lambda route: route.continue_(url=f"{route.request.url}&truncate=2")
    )


def paste(page: Any, text: str, place: str = "document.body") -> None:
    """Do what a browser does at Ctrl+V, with the focus on a place."""
    page.evaluate(
        f"""(text) => {{
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const pasted = new ClipboardEvent("paste", {{clipboardData, bubbles: true}});
            {place}.dispatchEvent(pasted);
        }}""",
        text,
    )


def best_play(page: Any) -> str:
    """The engine's best play here, by a hint."""
    page.locator("#do-hint").click()
    page.wait_for_selector("#play table.plays")
    found: str = page.locator("#play tr.chosen button").get_attribute("data-play")
    return found


def type_play(page: Any, play: str) -> None:
    """Type a play in a game."""
    page.get_by_label("Type a play").fill(play)
    page.keyboard.press("Enter")


def start(page: Any, play: str, seed: int | str, cube: bool = True) -> None:
    """Begin a game or match against the engine at depth 1."""
    page.get_by_label("What to play").select_option(label=play)
    page.get_by_label("Strength of gammon").select_option(label="Full")
    page.get_by_label("Depth of gammon").select_option(label="1: at once")
    page.get_by_label("With the cube").set_checked(cube)
    early = page.get_by_label("Warn before gammon answers")
    if early.count():
        early.uncheck()
    page.get_by_label("Seed of the dice").fill(str(seed))
    page.get_by_role("button", name="Start").click()


def at_rest(page: Any) -> dict[str, Any]:
    """Wait until the player can do something, and return what."""
    page.wait_for_function("() => document.querySelector('#actions button:enabled:not(#do-take-back)')")
    found: dict[str, Any] = page.evaluate(STATE)
    return found


def record_of(page: Any) -> list[list[str]]:
    """The rows of the record: what you did, and what gammon did."""
    rows = page.locator(".record tbody tr").evaluate_all(
        "(rows) => rows.map(({ cells }) => [cells[1].innerText, cells[2].innerText])"
    )
    return [[" ".join(each.split()) for each in row] for row in rows]


def middle(page: Any, place: str, board: str = "board") -> tuple[float, float]:
    """The middle of a place of the board of an id, on the screen."""
    box = page.locator(f"#{board} [data-place='{place}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: str, end: str, board: str = "board") -> None:
    """Drag a checker from the middle of a place to that of another one."""
    page.mouse.move(*middle(page, start, board))
    page.mouse.down()
    page.mouse.move(*middle(page, end, board), steps=4)
    page.mouse.up()


def rearmost(places: list[str]) -> str:
    """The place that is the furthest from home."""
    return max(places, key=int)


def play_game(
    page: Any, move: Callable[[str], None], press: Callable[[str], None], deeds: int | None = None
) -> list[str]:
    """Play to the end of a game, each checker from the rearmost place; return what was said.

    Args:
        page: the page, in a game.
        move: moves the checker of a place.
        press: presses the button of an id.
        deeds: after which to stop.
    """
    said = []
    for _ in range(1500):
        state = at_rest(page)
        said.append(state["said"])
        can = state["can"]
        if "do-review" in can or len(said) == deeds:
            return said
        deed = next((each for each in ("do-done", "do-roll", "do-take") if each in can), None)
        if deed:
            press(deed)
        elif state["from"]:
            move(rearmost(state["from"]))
    raise AssertionError(f"no end: {said[-5:]}")
