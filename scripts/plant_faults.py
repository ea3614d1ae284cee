"""Plant a fault in a copy of the package, and see whether the tests of its room find it.

    python3 scripts/plant_faults.py            # all of them, one after the other: some minutes
    python3 scripts/plant_faults.py edge jsd   # these

A fault that no test finds is a fault of the suite: the exit status is then 1.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Fault(NamedTuple):
    """One change of a line, and the tests that should find it."""

    file: str
    right: str
    wrong: str
    tests: str


FAULTS = {
    "edge": Fault(  # of a window: what is still to come has the wrong sign
        "gammon/search/star.py", "(target - seen - others)", "(target - seen + others)",
        "engine/search/test_star.py",
    ),
    "pip": Fault(  # the last checker of a play goes one too far
        "gammon/rules/plays.py",
        "target = max(source - die, 0)", "target = max(source - die - 1, 0)",
        "engine/rules/test_plays.py",
    ),
    "xgid": Fault(  # the player on roll is the other one
        "gammon/formats/xgid.py", "(first) + 1", "(first)", "engine/formats/test_xgid.py",
    ),
    "gammon": Fault(  # those that are won are lost
        "gammon/eval/janowski_row.py", "(six.win_g - six.lose_g)", "(six.lose_g - six.win_g)",
        "engine/eval/test_fold.py",
    ),
    "weight": Fault(  # two outcomes have each other's chance
        "gammon_lab/games/random_nim.py", "weight[1] = params[1]", "weight[1] = params[0]",
        "lab/games/test_random_nim.py",
    ),
    "take": Fault(  # a double is passed a tenth of a point too early
        "gammon/engine/cube.py", "self.double_take.equity >= self.double_pass.equity",
        "self.double_take.equity >= self.double_pass.equity - 0.1",
        "engine/engine/test_cube.py",
    ),
    "jsd": Fault(  # two candidates are compared as if they had dice of their own
        "gammon/core/estimate.py", "values[better, i] / unit - values[worse, i] / unit",
        "values[better, i] / unit - values[worse, n - 1 - i] / unit",
        "engine/core/test_estimate.py",
    ),
    "luck": Fault(  # good luck is bad luck
        "gammon/engine/luck.py", "return chosen - np.where(", "return -chosen + np.where(",
        "engine/engine/test_luck.py",
    ),
    "json": Fault(  # a field has the value of another one
        "gammon/view/json.py", '"loss": candidate.loss', '"loss": candidate.equity',
        "engine/view/test_json.py engine/view/test_to_json.py",
    ),
    "tie": Fault(  # of equal leaves, the last one is kept
        "gammon/search/evaluation.py", "values[j] == values[best] and ties[j] < ties[least]",
        "values[j] == values[best] and ties[j] > ties[least]", "engine/search/test_ties.py",
    ),
    "outcomes": Fault(  # of two with one chance, the last one comes first
        "gammon/search/picker.py", "chance[sequence[place - 1]] < chance[i]",
        "chance[sequence[place - 1]] <= chance[i]", "engine/search/test_tasks.py",
    ),
    "list": Fault(  # a play that is less deep has the bound of the full search
        "gammon/engine/searcher.py", "np.where(kinds == search.BOUND, shallow.values, values)",
        "values.copy()", "engine/engine/test_lists_of_plays.py",
    ),
    "guard": Fault(  # pages of other origins get answers
        "gammon_web/guard.py", "            self._check(scope, headers, authority)\n", "",
        "web/test_guard.py",
    ),
}  # fmt: skip


def is_found(fault: Fault, copy: Path) -> bool:
    """Plant a fault, run the tests, and mend it; return whether one of them failed."""
    path = copy / fault.file
    whole = path.read_text()
    assert fault.right in whole, f"{fault.file} has changed: {fault.right!r} is not there"
    path.write_text(whole.replace(fault.right, fault.wrong))
    tests = [f"tests/{name}" for name in fault.tests.split()]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests], cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    path.write_text(whole)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    print(f"{fault.file}: {failed[0] if failed else 'all passed'}", flush=True)
    return done.returncode == 1


def main() -> int:
    """Plant the faults that are named, or all."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(ROOT, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
        missed = [name for name in sys.argv[1:] or FAULTS if not is_found(FAULTS[name], copy)]
    print(f"not found: {', '.join(missed)}" if missed else "all were found")
    return len(missed) > 0


if __name__ == "__main__":
    raise SystemExit(main())
