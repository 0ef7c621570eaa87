"""Whether files are left to the engine, found out without opening it."""

from collections.abc import Callable

import pytest

import ordeval as oe
from ordeval.inputs.files import engine

__all__ = ["left_to_the_engine"]


class LeftError(Exception):
    """The engine was asked."""


def left_to_the_engine(read: Callable[[], object]) -> bool:
    """Tell whether reading asks the engine, which does not answer."""

    def leave(*_: object, **__: object) -> None:
        raise LeftError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "Database", leave)
        try:
            read()
        except LeftError:
            return True
        except oe.OrdevalError:
            return False
    return False
