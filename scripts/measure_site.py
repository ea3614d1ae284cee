"""Measure the speed of the page without a server in Chromium, and of the library.

    python scripts/measure_site.py --count 500

It needs the extra `browser-test`, Chromium, and the WebAssembly modules.
"""

import argparse
import shutil
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from gammon import Engine, Position
from gammon_lab.bench.positions import bench_positions
from gammon_web.site import write_site
from tests.web.folder import served

LOADS = 3
BEAROFF = "XGID=-AB--------------------cb-:0:0:1:21:0:0:0:0:10"
DEPTHS = (3, 5)
ASK = """async ([ids, depth]) => {
  const { get } = await import("./static/js/api.js");
  const taken = [];
  for (const id of ids) {
    const begun = performance.now();
    await get("analyze", { id, depth });
    taken.push(performance.now() - begun);
  }
  return taken;
}"""


def shown(browser: Any, address: str) -> Any:
    """Print the seconds to the first table of a page with an empty cache, and return the page."""
    page = browser.new_context().new_page()
    begun = time.perf_counter()
    page.goto(f"{address}#analyze")
    page.wait_for_selector("#analyze table tbody tr")
    print(f"first table after {time.perf_counter() - begun:.2f} s")
    return page


def in_chromium(address: str, ids: list[str]) -> dict[int, list[float]]:
    """Return the milliseconds of each answer of the page, by depth."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for _ in range(LOADS - 1):
            shown(browser, address).context.close()
        page = shown(browser, address)
        page.evaluate(ASK, [[BEAROFF], 1])  # makes the page compute the bearoff tables
        taken = {depth: page.evaluate(ASK, [ids, depth]) for depth in DEPTHS}
        browser.close()
    return taken


def by_the_library(ids: list[str], depth: int) -> list[float]:
    """Return the milliseconds of each answer of the library."""
    engine, taken = Engine(depth), []
    for position in map(Position.parse, ids):
        assert position.dice is not None, "positions of the benchmark have a roll"
        begun = time.perf_counter()
        engine.analyze(position, position.dice)
        taken.append(1000.0 * (time.perf_counter() - begun))
    return taken


def main() -> None:
    """Read the arguments, measure, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="positions")
    chosen = bench_positions()[: parser.parse_args().count]
    ids = [Position(entry.points).with_dice(entry.dice).xgid for entry in chosen]
    with TemporaryDirectory() as folder:
        write_site(Path(folder), "leaf")
        with served(Path(folder)) as address:
            by_depth = in_chromium(address, ids)
    for depth, taken in by_depth.items():
        native = by_the_library(ids, depth)
        times = statistics.mean(taken) / statistics.mean(native)
        for name, milliseconds in (("page", taken), ("library", native)):
            mean, median = statistics.mean(milliseconds), statistics.median(milliseconds)
            print(f"depth {depth}, {name}: mean {mean:.1f} ms, median {median:.1f} ms")
        print(f"depth {depth}: the page takes {times:.2f} times as long")


if __name__ == "__main__":
    main()
