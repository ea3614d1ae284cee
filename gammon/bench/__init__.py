"""The benchmark: what this machine does in a second, and what a decision costs.

Counts come first: a generator or a search that does other work than it should is not
timed but refused. Machines are noisy, so times are medians, and speeds are given beside
that of a yardstick of the same run: hashes a second on one core.
"""

from gammon.bench.bench import BenchSettings, run_bench

__all__ = ["BenchSettings", "run_bench"]
