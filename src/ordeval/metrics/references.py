"""Read references.bib: the papers that the measures and methods come from, as text and as BibTeX."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# The file keeps one field a line and values in braces, so two patterns read it: no BibTeX package is needed.
ENTRY = re.compile(r"^@(?P<kind>\w+)\{(?P<key>\w+),\n(?P<body>.*?)^\}$", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (?P<name>\w+) = \{(?P<value>.*)\},$", re.MULTILINE)


@dataclass(frozen=True)
class Reference:
    """One entry: its BibTeX, its fields as plain text, and a line to print (``str``)."""

    key: str
    fields: dict[str, str]
    bibtex: str

    def __str__(self) -> str:
        names = [
            " ".join(reversed(name.split(", "))) for name in self.fields["author"].split(" and ")
        ]
        authors = ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]
        venue = ", ".join(
            self.fields[name]
            for name in ("journal", "booktitle", "institution", "publisher")
            if name in self.fields
        )
        if "volume" in self.fields and "journal" in self.fields:
            number = f"({self.fields['number']})" if "number" in self.fields else ""
            venue += f" {self.fields['volume']}{number}"
        if "pages" in self.fields:
            venue += f", {self.fields['pages']}"
        doi = f" doi:{self.fields['doi']}" if "doi" in self.fields else ""
        return f"{authors} ({self.fields['year']}). {self.fields['title']}. {venue}.{doi}"


@cache
def _entries() -> dict[str, Reference]:
    text = files("ordeval.metrics").joinpath("references.bib").read_text(encoding="utf-8")
    entries = {}
    for match in ENTRY.finditer(text):
        # Braces inside a value protect capitals from BibTeX styles, and a double hyphen is its en dash.
        fields = {
            field["name"]: re.sub(r"[{}]", "", field["value"]).replace("--", "-")
            for field in FIELD.finditer(match["body"])
        }
        entries[match["key"]] = Reference(match["key"], fields, match[0])
    return entries


class _References(Mapping[str, Reference]):
    """The entries by key, read when first asked for: importing a measure opens no file."""

    def __getitem__(self, key: str) -> Reference:
        return _entries()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_entries())

    def __len__(self) -> int:
        return len(_entries())


REFERENCES: Mapping[str, Reference] = _References()
