"""Rollouts as tables for people, finished or in progress, and as text for a forum."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from gammon.core.estimate import ROUNDING
from gammon.engine.rolled import RolledCandidate, Rollout
from gammon.engine.rollout_sums import LEAST
from gammon.formats.context import SEATS, doubling_words, several
from gammon.view.analysis import CHANCES, chances_cells, depth_words
from gammon.view.cube import answer_parts, asked_words, is_answered, other_answers, verdict_lines
from gammon.view.heading import notes, stakes_words, terms_words, unit_of
from gammon.view.tables import new_table, plain_text
from gammon.view.view import Columns, Part, Verdict, View

#: The phrase of `notes` for a cubeless rollout before the roll.
ROLLING = "shown is what rolling is worth"
#: The largest number of standard errors that is printed; a larger one is "> 999".
_MOST_JSD = 999
#: A smaller number prints as 0.0000.
_LEAST_SHOWN = 0.00005
#: Characters of a line in a forum: the width of the table in a match.
_FORUM_WIDTH = 132
#: Seconds between two updates of the terminal.
_REFRESH = 0.25


def rollout_view(rollout: Rollout) -> View:
    """Return the view of a rollout: the candidates, and how games were played."""
    blocks: list[Sequence[Part]] = [[Columns(_table(rollout), 4)]]
    blocks += filter(None, (_verdict(rollout), _method_lines(rollout)))
    if rollout.cube is not None and is_answered(rollout.cube):
        blocks.insert(0, answer_parts(rollout.cube))
    best = min(rollout.candidates, key=lambda candidate: candidate.loss).play
    return View(rollout.position, _heading(rollout), _notes(rollout), blocks, best)


def forum_text(rollout: Rollout) -> str:
    """Return a rollout as text without a board, to paste into a forum."""
    view = rollout_view(rollout)
    below = view.below(lambda part: part)
    return plain_text(Group(view.position.xgid, view.title, *view.notes, *below), _FORUM_WIDTH)


def _table(rollout: Rollout) -> Table:
    """Return the table of the candidates; for a cube decision it includes the pass."""
    unit = unit_of(rollout.terms)
    mwc = ["MWC%", "s.e."] if unit == "EMG" else []
    cube, owner = rollout.cube, rollout.terms.owner
    behind = "Difference" if cube else "Loss"
    columns = "", "Candidate", unit, "s.e.", "95 %", behind, "JSD", *mwc, *CHANCES, "Games"
    table = new_table(*columns, left=(1,), wrap=False)
    for number, candidate in enumerate(rollout.candidates, 1):
        best = candidate.loss == 0.0 and not candidate.dropped and cube is None
        name = doubling_words(candidate.name, owner)
        behind = f"{candidate.equity - rollout.equity:+z.4f}" if cube else f"{candidate.loss:.4f}"
        cells = "" if cube else f"{number}.", name, *_cells(candidate, behind)
        table.add_row(*cells, style="bold" if best else "")
    for name, value in (other_answers(cube) if cube else {}).items():
        if cube is not None and value is not None:
            mwc = [] if value.mwc is None else [f"{100 * value.mwc:.2f}"]
            behind = f"{value.equity - rollout.equity:+z.4f}"
            cells = f"{value.equity:+z.4f}", "", "", behind, "", *mwc  # the opponent's choice
            table.add_row("", doubling_words(name, owner), *cells)
    return table


def _cells(candidate: RolledCandidate, behind: str) -> list[str]:
    """Return the cells of a candidate, beginning with its equity.

    Args:
        candidate: the candidate.
        behind: the cell with its loss, or its difference from the best action.
    """
    low, high = candidate.interval
    mwc = []
    if candidate.mwc is not None and candidate.mwc_error is not None:
        mwc = [f"{100 * candidate.mwc:.2f}", f"{100 * candidate.mwc_error:.2f}"]
    jsd = ""
    if candidate.loss >= _LEAST_SHOWN:
        jsd = f"{candidate.jsd:.2f}" if candidate.jsd < _MOST_JSD else f"> {_MOST_JSD}"
    return [
        f"{candidate.equity:+z.4f}",
        f"{candidate.error:.4f}",
        f"{low:+z.4f} to {high:+z.4f}",
        behind,
        jsd,
        *mwc,
        *chances_cells(candidate.probabilities),
        f"{candidate.trials}{', out' if candidate.dropped else ''}",
    ]


def _heading(rollout: Rollout) -> str:
    """Return a line with the player who decides, and how games were played."""
    context, terms = rollout.position.context, rollout.terms
    player = asked_words(context)
    if rollout.dice:
        player = "{} to play {}{}".format(SEATS[context.on_roll], *rollout.dice)
    cube = f"cubeless, {stakes_words(terms)}" if terms.cubeless else "with the cube"
    return f"{player}, rolled out, {cube}"


def _notes(rollout: Rollout) -> list[str]:
    """Return lines about the terms, or about what was left out."""
    lines = notes(rollout.position, rollout.terms, ROLLING)
    if rollout.terms.cubeless:
        return lines
    return [terms_words(rollout.terms, rollout.position.context), *lines]


def _verdict(rollout: Rollout) -> list[Part]:
    """Return the verdict on the cube, or a line about plays that may be best."""
    if rollout.cube is not None:
        return verdict_lines(rollout.cube)
    open_names = [rolled.name for rolled in rollout.candidates if rolled.loss and rolled.may_be_best]
    if not open_names:
        return []
    return [Verdict(f"Not distinguished from the best play: {', '.join(open_names)}.")]


def _method_lines(rollout: Rollout) -> list[str]:
    """Return lines about how the games were played."""
    settings = rollout.settings
    whole = "whole games"
    if settings.truncate is not None:
        whole = f"games of {several(settings.truncate, 'turn')}, then the static value"
    plays = f"Plays at {depth_words(settings.depth)}"
    if settings.move_filter and settings.depth > 1:
        plays += f", filter {settings.move_filter}"
    if not rollout.terms.cubeless and settings.plies_of_cube != settings.depth:
        plays += f", the cube at depth {settings.plies_of_cube}"
    best = min(rollout.candidates, key=lambda candidate: candidate.loss)
    more = ""
    if best.error > ROUNDING:
        name = doubling_words(best.name, rollout.terms.owner)
        more = f"; as they came, {name} {best.unadjusted.mean:+z.4f} ± {best.unadjusted.error:.4f}"
    if best.error >= _LEAST_SHOWN:
        ratio = (best.unadjusted.error / best.error) ** 2
        more += f", {ratio:.0f} times the variance"
    few = []
    if rollout.trials < LEAST:
        few = [f"Fewer than {LEAST} trials: each s.e. is rough, and a high JSD may be chance."]
    if any(candidate.dropped for candidate in rollout.candidates):
        few.append("The loss of a play that is out is over the trials that it shares with the best play.")
    return [
        f"{rollout.trials:,} trials, {whole}, seed {settings.seed}.",
        *few,
        f"{plays}.",
        f"The luck of the dice is taken out{more}.",
        f"{rollout.games:,} games, {rollout.turns:,} turns, {rollout.seconds:.1f} s.",
    ]


def under_way(rollout: Rollout) -> RenderableType:
    """Return the view of a rollout in progress: the candidates, and the remaining time."""
    trials, most = rollout.trials, rollout.settings.trials
    left = rollout.seconds / max(trials, 1) * (most - trials)
    if rollout.settings.max_seconds is not None:
        left = min(left, max(rollout.settings.max_seconds - rollout.seconds, 0.0))
    line = f"{trials:,} of {most:,} trials, {rollout.seconds:.0f} s, at most {left:.0f} s more"
    return Group(Columns(_table(rollout), 4).view(), Text(line, "dim"))


@contextmanager
def watched() -> Iterator[Callable[[Rollout], None]]:
    """Yield a function that shows a rollout in progress, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda rollout: None
        return
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
