"""The twin of networks in integers: the chances of a position, number by number."""

import numpy as np

from gammon.eval.features import numbers_of
from gammon.eval.integers import header_of, unpack
from gammon.eval.plan import plan_of
from gammon.eval.power import FEWEST, MAGIC, POLYNOMIAL
from gammon.rules.board import CHECKERS


def by_hand(row: np.ndarray, packed: np.ndarray) -> list[float]:
    """The chances of a position, number by number; whole ones are Python's, without limits."""
    parts = unpack(packed)
    part = parts[plan_of(row, len(parts))]
    header = header_of(packed)
    sums = part.bias1.astype(int).tolist()
    for s in range(2 * header.h1):
        for place, count in enumerate(row.tolist()):
            for step in range(min(count, 0), max(count, 0)):
                sums[s] += (1 if count > 0 else -1) * int(part.steps[place, CHECKERS + step, s])
        for number, of_one in zip(numbers_of(row[None])[0], part.numbers[:, s], strict=False):
            sums[s] += int(number) * int(of_one)
        sums[s] = (sums[s] + 2**15) % 2**16 - 2**15
    products = [(max(sums[i], 0) * max(sums[header.h1 + i], 0) + 2**14) // 2**15 for i in range(header.h1)]
    logits = [np.float32(bias) for bias in part.bias3]
    for j in range(header.h2):
        second = int(part.bias2[j])
        for i, product in enumerate(products):
            second += product * int(part.weight2[i // 2, j, i % 2])
        assert abs(second) < 2**31
        for k in range(6):
            logits[k] = logits[k] + part.weight3[k, j] * np.float32(max(second, 0))
    powers = []
    for logit in logits:
        x = max(logit - max(logits), FEWEST)
        whole = (x + MAGIC) - MAGIC
        power = POLYNOMIAL[0]
        for coefficient in POLYNOMIAL[1:]:
            power = power * (x - whole) + coefficient
        powers.append(np.float32(np.ldexp(power, int(whole))))
    total = powers[0]
    for power in powers[1:]:
        total = total + power
    share = np.float32(1.0) / total
    lose_bg, lose_g, lose, win, win_g, win_bg = (power * share for power in powers)
    none = np.float32(0.0)
    if row[row > 0].sum() < CHECKERS:
        lose_bg, lose_g, lose = none, none, lose + (lose_bg + lose_g)
    if -row[row < 0].sum() < CHECKERS:
        win, win_g, win_bg = win + (win_g + win_bg), none, none
    return list(map(float, (lose_bg, lose_g, lose, win, win_g, win_bg)))
