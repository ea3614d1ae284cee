"""Dice of a seed: the same for the same numbers, fair, and in order."""

from collections import Counter

from gammon_web.record import roll_of_seed
from tests.splitmix import splitmix
from tests.web.asking import API, ask


def test_a_roll_is_a_function_of_its_seed_and_number():
    for seed in (0, 1, 2**53 - 1):
        for number in (0, 1, 77, 2**53 - 1):
            face = splitmix(splitmix(seed) ^ number) % 36
            assert roll_of_seed(seed, number) == (face // 6 + 1, face % 6 + 1)


def test_all_36_are_as_likely():
    counts = Counter(roll_of_seed(3, number) for number in range(3600))
    assert len(counts) == 36
    assert sum((n - 100) ** 2 / 100 for n in counts.values()) < 66.6  # chi square, 1 of 1000


def test_parts_of_a_sequence_fit():
    whole = ask(f"{API}/dice", seed=7, count=20).json
    assert (whole["seed"], whole["begin"]) == (7, 0)
    assert whole["dice"][5:9] == ask(f"{API}/dice", seed=7, begin=5, count=4).json["dice"]
    assert ask(f"{API}/dice", seed=8, count=20).json["dice"] != whole["dice"]


def test_what_is_out_of_range():
    for name, value in (("seed", -1), ("seed", 2**53), ("count", 0), ("count", 1001)):
        assert ask(f"{API}/dice", **{name: value}).error["field"] == name
