"""JUnit XML: one test in one suite, as servers of continuous integration read it."""

from collections.abc import Mapping
from xml.etree import ElementTree as ET

from ordeval.letters import UNSHOWABLE

KINDS = ("failure", "error")  # why a test has not passed: its answer is no, or there is no answer


def to_junit(
    suite: str,
    case: str,
    *,
    properties: Mapping[str, object],
    details: str,
    kind: str | None = None,
    message: str = "",
) -> str:
    """Write one test as a suite of its own.

    A test without a `kind` has passed; "failure" and "error" have a message. `details` is what people read.
    """
    counts = {f"{one}s": str(int(one == kind)) for one in KINDS}
    head = {"name": shown(suite), "tests": "1", **counts, "time": "0"}
    root = ET.Element("testsuites", head)
    tests = ET.SubElement(root, "testsuite", {**head, "skipped": "0"})
    listed = ET.SubElement(tests, "properties")
    for name, value in properties.items():
        ET.SubElement(
            listed,
            "property",
            {"name": shown(name), "value": "" if value is None else shown(value)},
        )
    test = ET.SubElement(
        tests, "testcase", {"classname": shown(suite), "name": shown(case), "time": "0"}
    )
    if kind is not None:
        ET.SubElement(test, kind, {"message": shown(message), "type": kind}).text = shown(details)
    ET.SubElement(test, "system-out").text = shown(details)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def shown(value: object) -> str:
    """Return a value as text without characters that XML cannot hold."""
    return UNSHOWABLE.sub("\ufffd", str(value))
