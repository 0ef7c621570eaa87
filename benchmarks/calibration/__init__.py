"""Simulate what intervals, tests, ranks and plans promise; docs/evidence/calibration.md has the results."""

import os

# Each process does its own part: threads of NumPy inside it would only get in each other's way.
for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
