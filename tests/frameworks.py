"""How tests with evaluation frameworks are marked, and what they have in common."""

import pytest

# `make test-frameworks` installs these packages into an environment of their own, so tests import them as they run, and
# not as a file is read. What they warn of among themselves is not ours to change; a warning of our own stays an error.
FRAMEWORKS = [
    pytest.mark.frameworks,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.filterwarnings(r"error:::ordeval\..*"),
]

LABELS = [1, 2, 3, 4, 5]
GOLD = [1, 2, 3, 4, 5, 3, 2, 5, 1, 4]
ANSWERS = [1, 3, 3, 4, 4, 1, 2, 5, 2, 2]
