"""Tests of gammon, arranged like its packages."""

import os

# As in `gammon.commands.main`, before anything imports numpy or PyTorch: threads that share matrices
# this small mostly wait for each other, and take a processor each while they wait.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")
