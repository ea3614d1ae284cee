"""The twin of features: tactics by moving checkers one by one, and the plan by its words."""

from gammon.eval.plan import BACK_GAME, BOTH, CAUGHT, N_OFF, N_PLANS, NOT_OWN, OWN
from gammon.rules.board import CHECKERS, Points


def plan_by_words(points: Points, parts: int = N_PLANS) -> int:
    """Return the part that judges a position, by the words of its definition."""
    own = any(count > 0 for count in points[19:])
    their = any(count < 0 for count in points[:7])
    own_points = sum(count > 1 for count in points[19:25])
    their_points = sum(count < -1 for count in points[1:7])
    left = sum(c for c in points if c > 0), -sum(c for c in points if c < 0)
    if parts == 1:
        return 0
    if parts == N_PLANS and max(own_points, their_points) >= 2:
        return BACK_GAME
    few = CHECKERS - N_OFF
    caught = (own and left[0] <= few) or (their and left[1] <= few)
    if parts == N_PLANS and caught:
        return CAUGHT
    return BOTH if own and their else OWN if own else NOT_OWN


def moved(points, place, die):
    """Return where a checker gets, or None."""
    target = place - die
    return target if target >= 1 and points[target] > -2 else None


def landings(points, dice, start):
    """Return all the points where one checker from `start` can end or stop over."""
    found = set()
    for order in {tuple(dice), tuple(reversed(dice))}:
        place = start
        for die in order:
            place = moved(points, place, die)
            if place is None:
                break
            found.add(place)
    return found


def reached(points, dice):
    """Return the points that one checker can touch; those on the bar come in first."""
    own = [p for p in range(1, 25) if points[p] > 0]
    bar = points[25]
    if bar == 0:
        return set().union(*(landings(points, dice, p) for p in own))
    found = set()
    for order in {tuple(dice), tuple(reversed(dice))}:
        entered = moved(points, 25, order[0])
        if entered is None:
            continue
        found.add(entered)
        rest = order[bar:]
        if bar < len(order) and len(order) == 2:
            second = [moved(points, p, rest[0]) for p in [*own, entered]]
            found |= {p for p in second if p is not None}
        elif rest:
            found |= set().union(*(landings(points, rest, p) for p in [*own, entered]))
        elif len(order) == 2:
            second = moved(points, 25, order[1])
            found |= {second} - {None}
    if bar > 1 and len(dice) == 2:
        found |= {moved(points, 25, die) for die in dice} - {None}
    return found


def numbers_by_moves(points):
    """Return the numbers of the side on roll by name, whole ones."""
    own = [p for p in range(26) if points[p] > 0]
    their = [p for p in range(26) if points[p] < 0]
    rear, their_rear = max(own), 25 - min(their)
    contact = max(rear + their_rear - 25, 0)
    shots = loss = escapes = 0
    for a in range(1, 7):
        for b in range(1, 7):
            dice = [a, b] if a != b else [a] * 4
            hits = [p for p in reached(points, dice) if points[p] == -1]
            shots += bool(hits)
            loss += max(hits, default=0)
            escapes += any(rear - p > 6 for p in landings(points, dice, rear))
    made = [p for p in range(1, 25) if points[p] >= 2]
    runs = [n for n in range(1, 16) for p in made if all(p + k in made for k in range(n))]
    places = [25] if points[25] else own
    return {
        "shots": shots,
        "loss": loss,
        "escape": escapes if contact else 36,
        "prime": max(runs, default=0),
        "block": sum(25 - their_rear < p <= 31 - their_rear for p in made),
        "contact": contact,
        "behind": sum(points[p] for p in own if p > 25 - their_rear),
        "mobility": len({(p - d, d) for p in places for d in range(1, 7) if moved(points, p, d)}),
        "anchor": int(any(p >= 19 for p in made)),
    }
