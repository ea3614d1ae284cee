"""A server and a browser for the tests of the page, one of each for all."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests import processes
from tests.processes import ROOT
from tests.wasm import unbuilt
from tests.web.folder import served

#: The program of the browser, by its names in distributions. The first one has no windows, and
#: opens a page in two fifths of the processor time: 0.7 s in place of 1.9 s.
NAMES = "chromium-headless-shell", "chromium", "chromium-browser"
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
#: The script of axe-core, which `.ci/run` fetches.
AXE = Path(os.environ.get("GAMMON_AXE", ""))
#: The same dice each time where the page draws them itself: Lehmer's generator.
DICE = """
let drawn = 1;
Math.random = () => (drawn = (drawn * 16807) % 2147483647) / 2147483647;
crypto.getRandomValues = (numbers) => numbers.fill(2 ** 32 * Math.random());
"""


def serving(*options: str) -> AbstractContextManager[str]:
    """Run a server of its own, and give its address."""
    return processes.serving(*options)


@pytest.fixture(scope="session")
def server(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of its own with a library, which ends with the tests."""
    own = shutil.copy(library, tmp_path_factory.mktemp("served"))
    with serving("--library", str(own)) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, without a window.

    Its driver has an event loop in this thread, beside which no other test could run one: so it
    ends with the tests of a file.
    """
    if find_spec("playwright") is None:
        pytest.skip("playwright is not installed: the extra browser-test")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium-headless-shell")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        options = ["--no-sandbox", "--disable-gpu"]
        launched = driver.chromium.launch(executable_path=CHROMIUM, args=options)
        yield launched
        launched.close()


def is_wrong(said: Any) -> bool:
    """Tell whether a line of the console is an error; a refusal that was provoked is not."""
    return said.type == "error" and "status of 400" not in said.text


@contextmanager
def opened(
    browser: Any,
    url: str,
    prepare: Callable[[Any], object] = lambda page: None,
    wrong: Callable[[Any], bool] | None = is_wrong,
    visited: bool = True,
    **how: Any,
) -> Iterator[Any]:
    """Open a page in a window of its own. An error that nobody caught fails the test.

    Args:
        browser: the fixture.
        url: of the page.
        prepare: does something with the page before it is loaded.
        wrong: tells which lines of the console fail the test, too; None where nothing does.
        visited: whether the window was left at an analysis before; else this is its first visit.
        how: options of the window.
    """
    context, errors = browser.new_context(**how), []
    context.set_default_timeout(30_000)
    page = context.new_page()
    if wrong:
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if wrong(said) else None)
    if visited and url.startswith("http"):
        page.add_init_script("localStorage['gammon.mode'] ??= '\"analyze\"';")
    prepare(page)
    try:
        page.goto(url)
        yield page
    finally:
        context.close()
    assert errors == []


@pytest.fixture
def open_page(server: str, browser: Any) -> Iterator[Callable[..., Any]]:
    """Open the page, in a window of its own: `open_page("#play", width=360, touch=True)`.

    Checkers move at once.
    """

    def visited(
        at: str = "",
        width: int = 1280,
        height: int = 900,
        touch: bool = False,
        scheme: str = "light",
        kept: str = "",
    ) -> Any:
        def prepare(page: Any) -> None:
            page.add_init_script(DICE)
            # On the first visit only: a page that is loaded again finds what it kept.
            page.add_init_script(f"localStorage['gammon.pace'] ??= '0'; {kept}")

        window = opened(
            browser,
            server + at,
            prepare,
            viewport={"width": width, "height": height},
            has_touch=touch,
            color_scheme=scheme,
            reduced_motion="reduce",
        )
        return windows.enter_context(window)

    with ExitStack() as windows:
        yield visited


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, a checker of accessibility."""
    if not AXE.is_file():
        pytest.skip("axe-core is not here: GAMMON_AXE=axe.min.js, from `npm pack axe-core`")
    return AXE.read_text()


@pytest.fixture(scope="module")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page without a server, some folders below this one."""
    if unbuilt():
        pytest.skip(unbuilt())
    from gammon_web.site import write_site

    folder = tmp_path_factory.mktemp("site")
    write_site(folder / "some" / "where", "leaf")
    return folder


@pytest.fixture(scope="module")
def site(site_folder: Path) -> Iterator[str]:
    """The address of the page, in a folder of another server."""
    with served(site_folder) as address:
        yield f"{address}some/where/"


@pytest.fixture(scope="module")
def engine(site_folder: Path) -> Callable[..., dict[str, Any]]:
    """The engine of the page without a server, in Node: what `js/engine.mjs` is asked."""
    if shutil.which("node") is None:
        pytest.skip("Node is not here")
    page = site_folder / "some" / "where"
    # Node 18 and 20 take a file `.js` for the older kind of module unless this says otherwise.
    (page / "package.json").write_text('{"type": "module"}')
    command = ["node", str(ROOT / "tests" / "web" / "js" / "engine.mjs"), str(page)]

    def asked(**what: Any) -> dict[str, Any]:
        done = subprocess.run(command, input=json.dumps(what), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answered: dict[str, Any] = json.loads(done.stdout)
        return answered

    return asked


@pytest.fixture
def page(browser: Any, site: str) -> Iterator[Any]:
    """The page, and a look at what went wrong in it."""
    with opened(browser, site, base_url=site) as page:
        yield page
