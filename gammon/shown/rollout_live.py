"""A rollout under way: a table on stderr that changes."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.rollouts.answer import Rollout
from gammon.shown.rollout import candidates_view

__all__ = ["under_way", "watched"]

#: Seconds between two changes.
_REFRESH = 0.25


def under_way(rollout: Rollout) -> RenderableType:
    """Show the candidates of a rollout that goes on, and how long it may still take."""
    trials, most = rollout.trials, rollout.settings.trials
    left = rollout.seconds / max(trials, 1) * (most - trials)
    if rollout.settings.max_seconds is not None:
        left = min(left, max(rollout.settings.max_seconds - rollout.seconds, 0.0))
    said = f"{trials:,} of {most:,} trials, {rollout.seconds:.0f} s, at most {left:.0f} s more"
    return Group(candidates_view(rollout), Text(said, "dim"))


@contextmanager
def watched() -> Iterator[Callable[[Rollout], None]]:
    """Give a function that shows a rollout so far, where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda rollout: None
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False)
    with Live(console=console, transient=True, auto_refresh=False) as live:
        shown = 0.0

        def show(rollout: Rollout) -> None:
            nonlocal shown
            if rollout.seconds - shown >= _REFRESH:
                shown = rollout.seconds
                live.update(under_way(rollout), refresh=True)

        yield show
