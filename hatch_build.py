"""Build hook of hatchling: the README for the package index, where links into the repository need an address."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# [text](target) and ![text](target), where the target is neither an address nor a heading of the same page
RELATIVE = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


class ReadmeWithAddresses(MetadataHookInterface):
    """Fills in `readme`; the files it links to are those of the tag of this version."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README to the metadata of the package."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = with_addresses(text, metadata["urls"]["Source"], f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_addresses(text: str, repository: str, tag: str) -> str:
    """Return Markdown whose links into the repository are addresses of files at a tag; images, of raw files."""

    def address(found: re.Match[str]) -> str:
        image, name, target = found.groups()
        return f"{image}{name}({repository}/{'raw' if image else 'blob'}/{tag}/{target})"

    return RELATIVE.sub(address, text)
