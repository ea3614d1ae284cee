"""The engine for JavaScript: `gammon.js`, its types, the WebAssembly module, and a light engine."""

import json
from pathlib import Path
from typing import Any

import gammon
from gammon.compiled.library import MODULES, Built, LibraryError, NoLibraryError
from gammon.core.estimate import N_WORK
from gammon_adapters.embed.core_state import MOST_PLAYS
from gammon_adapters.embed.layout import ANSWERS, JUDGED, MOST_COMPARED, QUESTION, Field
from gammon_adapters.embed.packed_engine import packed_engine
from gammon_study.reviews.names import THEMES

_SOURCE = Path(__file__).with_name("gammon.js")
_TYPES = Path(__file__).with_name("gammon.d.ts")
#: The page of the package in a registry.
README = Path(__file__).with_name("npm.md")


def script_files(model: str) -> dict[str, bytes]:
    """Return the files that a page needs for the engine, by their names.

    Args:
        model: the name of the network.

    Raises:
        LibraryError: the WebAssembly module is missing or damaged.
        ModelError: there is no such model.
    """
    try:
        module = Built(MODULES / "wasm32", "wasm32")
    except NoLibraryError:
        raise LibraryError("the module of WebAssembly is missing: install gammon again") from None
    return {
        "gammon.js": script().encode(),
        "gammon.d.ts": _TYPES.read_bytes(),
        "package.json": f"{json.dumps(_package(), indent=2)}\n".encode(),
        "gammon.engine": packed_engine(module, model, light=True),
        module.path.name: module.path.read_bytes(),
    }


def _package() -> dict[str, Any]:
    """Return the description of the files as a package of npm; CONTRIBUTING.md publishes it."""
    data = ("gammon.wasm", "gammon.engine")
    return {
        "name": "gammon-engine",
        "version": gammon.__version__,
        "description": "A backgammon engine: *-minimax search, cube and match play, as WebAssembly",
        "keywords": ["backgammon", "engine", "expectiminimax", "star2", "wasm"],
        "license": "SEE LICENSE IN LICENSE.txt",
        "type": "module",
        "types": "./gammon.d.ts",
        "exports": {
            ".": {"types": "./gammon.d.ts", "default": "./gammon.js"},
            **{f"./{name}": f"./{name}" for name in data},
        },
        "files": ["gammon.js", "gammon.d.ts", *data, "LICENSE.txt", "NOTICE.txt"],
        "sideEffects": False,
        "engines": {"node": ">=16.4"},
    }


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
