"""The engine for JavaScript: `gammon.js`, the WebAssembly modules, and a light engine."""

import json
from pathlib import Path

from gammon.compiled.library import MODULES, Built, LibraryError, NoLibraryError
from gammon.core.estimate import N_WORK
from gammon_adapters.embed.core_state import MOST_PLAYS
from gammon_adapters.embed.layout import ANSWERS, JUDGED, MOST_COMPARED, QUESTION, Field
from gammon_adapters.embed.packed_engine import packed_engine
from gammon_study.reviews.names import THEMES

_SOURCE = Path(__file__).with_name("gammon.js")


def script_files(model: str) -> dict[str, bytes]:
    """Return the files that a page needs for the engine, by their names.

    Args:
        model: the name of the network.

    Raises:
        LibraryError: the WebAssembly modules are missing or damaged.
        ModelError: there is no such model.
    """
    try:
        modules = [Built(MODULES / name, name) for name in ("wasm32", "wasm32-plain")]
    except NoLibraryError:
        raise LibraryError(
            "the modules of WebAssembly are missing: in a checkout, `python "
            "scripts/build_library.py --system wasm32 wasm32-plain` makes them"
        ) from None
    files = {
        "gammon.js": script().encode(),
        # Without this, node takes `.js` files for CommonJS modules.
        "package.json": b'{"type": "module"}\n',
        "gammon.engine": packed_engine(modules[0], model, light=True),
    }
    return files | {module.path.name: module.path.read_bytes() for module in modules}


def _fields(fields: tuple[Field, ...]) -> list[tuple[str, int]]:
    return [(field.name, field.size) for field in fields]


def script() -> str:
    """Return the text of `gammon.js`, which a program in JavaScript imports."""
    answers = {
        answer.name: {"whole": _fields(answer.whole), "real": _fields(answer.real)} for answer in ANSWERS
    }
    return (
        f"{_SOURCE.read_text(encoding='utf-8')}\n"
        f"const MOST_PLAYS = {MOST_PLAYS};\n"
        f"const MOST_COMPARED = {MOST_COMPARED};\n"
        f"const WORK = {N_WORK};\n"
        f"const JUDGED = {json.dumps(_fields(JUDGED.real))};\n"
        f"/** The themes of a decision: bit k of `themes` is the theme at index k. */\n"
        f"export const THEMES = {json.dumps(THEMES)};\n"
        f"const QUESTION = {json.dumps(_fields(QUESTION.whole))};\n"
        f"const ANSWERS = {json.dumps(answers)};\n"
    )
