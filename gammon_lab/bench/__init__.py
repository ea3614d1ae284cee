"""The benchmark: this machine's work per second, and the cost of a decision.

Counts come first: if the generator or the search does other work than it should, the benchmark stops
before timing anything. Machines are noisy, so times are medians, and speeds are also given relative
to a yardstick of the same run: hashes per second on one core. Other programs decide the same
positions in turns with gammon; their times are processor time.
"""

from gammon_lab.bench.bench import BenchSettings, bench_report, run_bench
from gammon_lab.bench.decisions import OTHERS

__all__ = ["OTHERS", "BenchSettings", "bench_report", "run_bench"]
