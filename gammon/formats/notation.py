"""The notation of plays: `24/18*/13`, `bar/22`, `6/off(2)`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from gammon.base.errors import AmbiguousPlayError, FormatError, IllegalPlayError
from gammon.formats.characters import plain, quoted
from gammon.rules.board import OFF, OWN_BAR, Move, Moves, Points

#: The notation of a play without moves.
CANNOT_MOVE = "cannot move"

#: The most moves of a play, and the most characters of its text.
_MOST_MOVES, _LONGEST = 4, 200
_POINT = re.compile("[0-9]{1,2}")
_ITEM = re.compile(r"(?P<stops>[a-z0-9*/-]+?)(?:\((?P<times>[1-4])\))?")


def format_play(moves: Sequence[Move]) -> str:
    """Return the canonical notation of moves.

    The moves of one checker form an item, in which a middle point appears only if the checker
    hits there. Items are sorted by source, in descending order. Equal items are written once, with
    their number in parentheses.
    """
    if not moves:
        return CANNOT_MOVE
    items = [_item(chain) for chain in chains_of(moves)]
    counted = Counter(items)
    return " ".join(item + (f"({n})" if n > 1 else "") for item, n in counted.items())


def chains_of(moves: Sequence[Move]) -> list[list[Move]]:
    """Return the moves of each checker that moves, the rearmost checker first."""
    chains: list[list[Move]] = []
    for move in sorted(moves, key=lambda m: (-m.source, -m.target)):
        for chain in chains:
            if chain[-1].target == move.source:
                chain.append(move)
                break
        else:
            chains.append([move])
    return sorted(chains, key=lambda c: (-c[0].source, -c[-1].target))


def _item(chain: list[Move]) -> str:
    names = {OWN_BAR: "bar", OFF: "off"}
    stops = [names.get(chain[0].source, str(chain[0].source))]
    for move in chain:
        if move.hit or move is chain[-1]:
            stops.append(names.get(move.target, str(move.target)) + "*" * move.hit)
    return "/".join(stops)


def parse_play(text: str) -> tuple[Move, ...]:
    """Return the moves of a play in any common notation, from one written point to the next.

    Accepted: `bar`, `b` or 25; `off`, `o` or 0; a dash for the slash; commas; upper case; items
    in any order; with or without middle points. A move without its middle point stays one move:
    `gammon.find_play` finds the legal play for it.

    Raises:
        FormatError: the text is not a play.
    """
    moves: list[Move] = []
    body = " ".join(plain(text).lower().replace(",", " ").split())
    if len(body) > _LONGEST:
        raise FormatError(f"{quoted(body)}: {len(body)} characters, expected a play of at most {_LONGEST}")
    if body in ("", CANNOT_MOVE, "pass", "none", "(no play)", "no play"):
        return ()
    for item in re.sub(r" ?([/(-]) ?", r"\1", body).split():
        match = _ITEM.fullmatch(item)
        stops = re.split("[/-]", match["stops"]) if match else []
        if match is None or len(stops) < 2:
            raise _wrong(text, item)
        places = [_place(stop.rstrip("*"), text, item) for stop in stops]
        hits = [stop.endswith("*") for stop in stops]
        chain = [
            Move(source, target, hit)
            for source, target, hit in zip(places, places[1:], hits[1:], strict=False)
        ]
        if any(move.target >= move.source for move in chain) or hits[0]:
            raise _wrong(text, item)
        moves += chain * int(match["times"] or 1)
    return tuple(moves)


def _place(stop: str, text: str, item: str) -> int:
    named = {"bar": OWN_BAR, "b": OWN_BAR, "off": OFF, "o": OFF}
    if stop in named:
        return named[stop]
    if _POINT.fullmatch(stop) and OFF <= int(stop) <= OWN_BAR:
        return int(stop)
    raise _wrong(text, item)


def _wrong(text: str, item: str) -> FormatError:
    return FormatError(
        f"{quoted(text)}: cannot read {quoted(item)}, expected a play such as 24/18*/13 6/5(2)"
    )


def meant(points: Points, dice: tuple[int, int], plays: Iterable[Moves], wanted: Moves, text: str) -> Moves:
    """Return the legal play of a roll that written moves stand for.

    People leave out middle points and stars. If plays differ only in their hits, the moves stand
    for the play that hits exactly on the written points with blots.

    Args:
        points: 26 counts before the play, seen from the mover.
        dice: the roll.
        plays: all legal plays.
        wanted: the written moves, from `parse_play`.
        text: the written play, as errors quote it.

    Raises:
        FormatError: there are more moves than a play can have.
        IllegalPlayError: the moves fit no legal play.
        AmbiguousPlayError: the moves fit several plays, which differ in their hits.
    """
    if len(wanted) > _MOST_MOVES:
        raise FormatError(f"a play of {len(wanted)} moves: expected at most {_MOST_MOVES}")
    legal, change = list(plays), _change(wanted)
    same_checkers = [play for play in legal if _change(play) == change]
    hits = {move.target for move in wanted if move.target and points[move.target] == -1}
    same_hits = [play for play in same_checkers if _hits(play) == hits]
    fitting = same_hits if len(same_hits) == 1 else same_checkers
    if len(fitting) == 1:
        return fitting[0]
    roll, names = f"{dice[0]}{dice[1]} here", ", ".join(map(format_play, fitting or legal[:3]))
    if fitting:
        raise AmbiguousPlayError(f"{text} can mean several legal plays of {roll}: expected one of {names}")
    why = "no checker can move" if names == CANNOT_MOVE else f"expected one such as {names}"
    raise IllegalPlayError(f"{text} is not a legal play of {roll}: {why}")


def _change(moves: Moves) -> dict[int, int]:
    """Return the number of checkers that each point gains; middle points cancel."""
    gained: Counter[int] = Counter(move.target for move in moves)
    gained.subtract(move.source for move in moves)
    return {point: count for point, count in gained.items() if count}


def _hits(moves: Moves) -> set[int]:
    return {move.target for move in moves if move.hit}
