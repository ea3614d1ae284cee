"""A position in words: the lines of a drawing, and the sentences that a screen reader says."""

from gammon.formats.position import Position
from gammon.formats.words import SEATS, cube_words, score_words
from gammon.rules.board import OWN_BAR, THEIR_BAR

__all__ = ["cube_value", "game_words", "said_of", "turn_words"]

_OFFERS = {"D": "doubles", "B": "beavers", "R": "raccoons"}


def cube_value(position: Position) -> int:
    """Return the number on the cube; twice its value where it is on offer."""
    context = position.context
    return 1 << context.cube_log2 + bool(context.offer)


def turn_words(position: Position) -> str:
    """Return whose turn it is, such as "X to play 31"."""
    player = SEATS[position.context.on_roll]
    if position.is_over:
        return f"{SEATS[position.context.on_roll * (1 if position.off[0] == 15 else -1)]} won"
    if position.dice:
        return f"{player} to play {position.dice[0]}{position.dice[1]}"
    if position.context.offer:
        return f"{player} {_OFFERS[position.context.offer]} to {cube_value(position)}"
    return f"{player} on roll"


def game_words(position: Position) -> str:
    """Return what is played for, but the score: a match, or money with its rules."""
    context = position.context
    if context.length:
        return f"match to {context.length}{', Crawford' if context.crawford else ''}"
    rules = ("Jacoby", context.jacoby), ("beavers", context.beavers)
    return ", ".join(["money", *(name for name, holds in rules if holds)])


def said_of(position: Position, play: str = "") -> str:
    """Return sentences that tell all that a drawing shows, but whose turn it is.

    Args:
        position: seen from the player on roll.
        play: the notation of the play that arrows show.
    """
    context, points = position.context, position.points
    own, their = SEATS[context.on_roll], SEATS[-context.on_roll]
    (own_pips, their_pips), (own_off, their_off) = position.pips, position.off
    sides = (
        (own, points, points[OWN_BAR], own_off, own_pips),
        (their, [-each for each in points], -points[THEIR_BAR], their_off, their_pips),
    )
    found = [
        f"{name} has {_listed(_places(counts, bar, off))}, and {pips} pips to go."
        for name, counts, bar, off, pips in sides
    ]
    found.insert(0, f"Points are numbered as {own} counts them.")
    score = score_words(context) if context.length else game_words(position)
    cube = f"cube on offer at {cube_value(position)}"
    if not context.offer:
        cube = cube_words(1 << context.cube_log2, context.cube_owner)
    found.append(f"The game: {score}, {cube}.")
    if play:
        found.append(f"The arrows show the play {play}.")
    return " ".join(found)


def _places(counts: list[int] | tuple[int, ...], bar: int, off: int) -> list[str]:
    """Return where a side's checkers are, from its own counts of the points."""
    found = [f"{bar} on the bar"] if bar else []
    found += [f"{counts[at]} on point {at}" for at in range(24, 0, -1) if counts[at] > 0]
    return [*found, f"{off} borne off"] if off else found


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
