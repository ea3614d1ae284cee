"""Whether there are modules of WebAssembly to test."""

from gammon.compiled.library import MODULES, Built, LibraryError


def unbuilt() -> str:
    """Why there are no modules of the present sources, or an empty text."""
    try:
        changed = [Built(MODULES / name, name).changed for name in ("wasm32", "wasm32-plain")]
    except LibraryError as error:
        return str(error)
    return "the modules are not of these sources" if any(changed) else ""
