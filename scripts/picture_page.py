"""Take the pictures of docs/first_hour.md and docs/review.md, in Chromium.

It needs the extra browser-test, and Chromium. The pictures go to docs/pictures:

    python scripts/picture_page.py
"""

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from tests.processes import ROOT, serving

PICTURES = ROOT / "docs" / "pictures"
MIDDLE = "#xgid=-b---BDAC---dC---c-d-b--B-:1:-1:1:63:3:2:0:7:10"
MATCHES = ROOT / "tests" / "golden" / "matches"
MATCH = MATCHES / "match5.mat"
#: Colours of a picture: enough for flat areas and smooth letters.
COLOURS = 256


def keep(page: Any, name: str) -> None:
    """Write what the page shows as a small PNG file."""
    page.mouse.move(1, 1)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    file = PICTURES / f"{name}.png"
    picture.quantize(COLOURS).save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


def analyze(page: Any, server: str, name: str) -> None:
    """Take a picture of an analysis at depth 5."""
    page.goto(server + MIDDLE)
    page.wait_for_function("() => document.querySelector('.busy')?.textContent === 'depth 5'")
    keep(page, name)


def play(page: Any, server: str) -> None:
    """Take a picture of a match, some plays after its beginning, with a hint."""
    page.goto(server + "#play")
    page.get_by_label("What to play").select_option(label="Match to 7")
    page.get_by_label("Strength of gammon").select_option(label="Full")
    page.get_by_label("Seed of the dice").fill("21")
    page.get_by_role("button", name="Start").click()
    for turn in range(5):
        page.wait_for_selector("#do-roll:enabled, #do-hint:enabled")
        if page.locator("#do-roll").count():
            page.locator("#do-roll").click()
        page.wait_for_selector("#do-done")
        page.locator("#do-hint").click()
        best = page.locator("#play tr.chosen button").first.get_attribute("data-play")
        if turn < 4:
            page.get_by_label("Type a play").fill(best)
            page.keyboard.press("Enter")
            page.wait_for_selector("#do-done", state="detached")
    keep(page, "play_dark")


def study(page: Any, server: str) -> None:
    """Take a picture of the library, with the errors of a theme."""
    page.goto(server + "#study")
    page.wait_for_selector(".listed tbody tr")
    page.locator('label:has(span:text-is("By")) select').select_option(label="theme")
    page.get_by_role("button", name="blitz").click()
    page.wait_for_timeout(2000)
    keep(page, "study_light")


def report(page: Any, folder: Path) -> None:
    """Take a picture of the report of a review."""
    file = folder / "report.html"
    command = [sys.executable, "-m", "gammon", "review", str(MATCH), "--html", str(file)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    page.goto(file.as_uri())
    keep(page, "report_light")


def main() -> None:
    """Start a server with a library, and take all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        library = ["--library", str(Path(folder) / "study.db")]
        command = [sys.executable, "-m", "gammon", "study", "add"]
        subprocess.run([*command, *MATCHES.glob("*.mat"), *library], check=True)
        with serving(*library) as server:
            take(server, Path(folder))


def take(server: str, folder: Path) -> None:
    """Take all pictures from the server at an address."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )

        def window(width: int, height: int, scheme: Any) -> Any:
            return browser.new_page(
                viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
            )

        analyze(window(1280, 800, "light"), server, "analyze_light")
        play(window(1280, 800, "dark"), server)
        analyze(window(360, 740, "dark"), server, "phone_dark")
        study(window(1280, 1000, "light"), server)
        report(window(1280, 1150, "light"), folder)
        browser.close()


if __name__ == "__main__":
    main()
