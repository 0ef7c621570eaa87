"""Simulations that show whether intervals, tests, ranks and plans keep what they promise; see docs/calibration.md."""

import os

# Each process does its own part: threads of NumPy inside it would only get in each other's way.
for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
