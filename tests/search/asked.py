"""One question to a search that is set up for it alone: for tests that vary the settings."""

from typing import Any

from gammon import search

_SETTINGS = {"algorithm", "probe", "sigma", "noise_seed", "options", "filter"}


def asked(
    method: str, game: search.Game, evaluator: search.Evaluator, *question: Any, **more: Any
) -> Any:
    """What a method of `search.Setup` returns; `more` has settings and further arguments."""
    settings = {name: more.pop(name) for name in _SETTINGS & more.keys()}
    return getattr(search.Setup(game, evaluator, **settings), method)(*question, **more)
