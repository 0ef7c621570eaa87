"""Write the account that the repository belongs to in place of the placeholder OWNER: python tools/adopt.py NAME."""

import re
import sys
from pathlib import Path

__all__ = ["FILES", "PLACEHOLDER", "adopt"]

# Everywhere else the address comes from one of these.
FILES = (
    "pyproject.toml",
    "recipe/recipe.yaml",
    ".github/ISSUE_TEMPLATE/config.yml",
    "docs/howto/gates.md",
)
PLACEHOLDER = re.compile(r"\bOWNER\b")
ACCOUNT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?")


def adopt(root: Path, account: str) -> list[str]:
    """Replace the placeholder in the files of a checkout, and return the names of those that had it."""
    if not ACCOUNT.fullmatch(account) or PLACEHOLDER.fullmatch(account):
        raise SystemExit(
            f"{account!r} is not the name of an account; it has 1 to 39 letters, digits and hyphens."
        )
    changed = []
    for name in FILES:
        text = (root / name).read_text(encoding="utf-8")
        # The comment that explains the placeholder goes with it.
        kept = re.sub(r"^# OWNER stands for .*\n", "", text, flags=re.MULTILINE)
        new = PLACEHOLDER.sub(account, kept)
        if new != text:
            (root / name).write_text(new, encoding="utf-8", newline="\n")
            changed.append(name)
    return changed


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python tools/adopt.py NAME, the account on the host of the code")
    print("\n".join(adopt(Path(__file__).parents[1], sys.argv[1])) or "nothing to replace")
