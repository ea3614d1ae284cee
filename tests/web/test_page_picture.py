"""The board of the page as a picture that is copied or saved."""

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.hands import click

Opened = Callable[..., Any]

POSITION = "#xgid=--CDBbC-B-----a----bdA-cc-:0:0:1:52:4:3:0:7:10"
#: The size of a picture, and colours of it: of the margin, of the board's field, and of the arrow's head.
SEEN = """async (text) => {
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const brush = canvas.getContext("2d");
  brush.drawImage(picture, 0, 0);
  const at = (x, y) => [...brush.getImageData(x, y, 1, 1).data].slice(0, 3).join();
  const line = brush.getImageData(0, 0, picture.width, 64).data;
  let dark = 0;
  for (let i = 0; i < line.length; i += 4) dark += line[i] < 100;
  return {
    size: [picture.width, picture.height],
    margin: at(2, 2), field: at(2 * 150, 64 + 2 * 245), bar: at(2 * 272, 64 + 2 * 245),
    words: dark,
  };
}"""
#: The colours on the page.
COLOURS = """() => {
  const board = document.querySelector("#board").shadowRoot;
  const fill = (name) => getComputedStyle(board.querySelector(name)).fill.match(/\\d+/g).join();
  const margin = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).join();
  return { margin, field: fill(".field"), bar: fill(".bar") };
}"""


def check(page: Any, picture: str) -> None:
    seen, colours = page.evaluate(SEEN, picture), page.evaluate(COLOURS)
    assert seen.pop("size") == [1200, 980 + 2 * 64]
    assert seen.pop("words") > 100
    assert seen == colours


def test_a_picture_is_saved(open_page: Opened, tmp_path: Path) -> None:
    page = open_page(POSITION)
    page.locator("tr:is(.exact, .bounded)").first.wait_for()
    page.locator("#theme").select_option("wood")
    with page.expect_download() as download:
        click(page, "Save picture")
    assert download.value.suggested_filename == "board.png"
    path = tmp_path / "board.png"
    download.value.save_as(path)
    check(page, b64encode(path.read_bytes()).decode())


def test_a_picture_is_copied(open_page: Opened) -> None:
    page = open_page(POSITION)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("tr:is(.exact, .bounded)").first.wait_for()
    click(page, "Copy picture")
    page.get_by_role("button", name="Copied", exact=True).wait_for()
    copied = page.evaluate(
        """async () => {
          const [item] = await navigator.clipboard.read();
          const reader = new FileReader();
          reader.readAsDataURL(await item.getType("image/png"));
          await new Promise((read) => { reader.onload = read; });
          return reader.result.split(",")[1];
        }"""
    )
    check(page, copied)


def test_where_no_picture_can_be_copied_it_is_saved(open_page: Opened) -> None:
    page = open_page(POSITION, kept="delete globalThis.ClipboardItem;")
    page.locator("tr:is(.exact, .bounded)").first.wait_for()
    with page.expect_download() as download:
        click(page, "Copy picture")
    assert download.value.suggested_filename == "board.png"
