"""The code that writes the reference of the Python API, which is not a part of the package."""

import sys

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import api
import api_source
import api_topics

__all__ = ["api", "api_source", "api_topics"]
