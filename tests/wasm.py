"""Whether there is a module of WebAssembly to test."""

from gammon.compiled.library import MODULES, Built, LibraryError


def unbuilt() -> str:
    """Why there is no module of the present sources, or an empty text."""
    try:
        changed = Built(MODULES / "wasm32", "wasm32").changed
    except LibraryError as error:
        return str(error)
    return "the module is not of these sources" if changed else ""
