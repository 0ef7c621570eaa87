"""Formulas for the terminal: the TeX that measures declare, written with the letters of Unicode."""

import re

QUAD = "\u2003"  # a wide space, between two formulas
TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\s+|.", re.DOTALL)
WORDS = {
    "sum": "Σ", "prod": "Π", "int": "∫", "min": "min", "max": "max", "log": "log", "ne": "≠", "le": "≤", "cdot": "·",
    "mid": "|", "quad": QUAD, ",": " ", "beta": "β", "gamma": "γ", "delta": "δ", "theta": "θ", "pi": "π", "sigma": "σ",  # noqa: RUF001
    "ln": "ln", "in": "in", "|": "||", "{": "(", "}": ")", "varepsilon": "ε",
    "bigl": "", "bigr": "", "Bigl": "", "Bigr": "",
}  # fmt: skip
# These stand before what they are applied to, with their limits below and above.
OPERATORS = {"\\sum", "\\prod", "\\int", "\\min", "\\max", "\\log", "\\ln"}
BELOW = str.maketrans("0123456789+-=()aehijklmnoprstuvxβγ", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧ")  # noqa: RUF001
ABOVE = str.maketrans("0123456789+-=()niKγ", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᴷᵞ")  # noqa: RUF001
LONGEST = 3  # letters of a script that can be read if they are small
MACRON = "\u0304"  # above the letter before it


def in_unicode(formula: str) -> str:
    r"""Write a formula in TeX as plain text, with fractions on one line and Unicode for scripts and symbols.

    >>> in_unicode(r"\frac{1}{N} \sum_{i,j} n_{ij} (v_i - v_j)^2")
    '1/N Σ_(i,j) nᵢⱼ (vᵢ - vⱼ)²'
    """
    text = re.sub(r" +", " ", Reader(TOKEN.findall(formula)).text()).replace(" ,", ",")
    return re.sub(f", ?{QUAD} ?", ",  ", text).replace(f"{QUAD} ", "").strip()


class Reader:
    """Reads the tokens of a formula, once, from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def text(self) -> str:
        """Return what stands up to the end, or up to the brace that closes a group."""
        written = ""
        while self.at < len(self.tokens):
            word = self.take()
            if word == "}":
                break
            if word in {"\\frac", "\\tfrac"}:
                written += self.fraction(written)
            elif word in "_^":
                written += self.script(word)
            else:
                written += self.atom(word)
                if word in OPERATORS:
                    while self.next() in {"_", "^"}:
                        written += self.script(self.take())
                    written += "" if self.next().isspace() else " "
        return written

    def take(self) -> str:
        """Return the next word, and go on."""
        self.at += 1
        return self.tokens[self.at - 1]

    def next(self) -> str:
        """Return the next word, and stay."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def argument(self) -> str:
        """Return a group in braces, or the next word alone."""
        while self.next().isspace():
            self.take()
        word = self.take()
        return self.text().strip() if word == "{" else self.atom(word)

    def atom(self, word: str) -> str:
        """Return one word as text, with its argument if it takes one."""
        if word in {"\\mathrm", "\\text"}:
            return self.verbatim()
        if word == "{":
            return self.text()
        if word == "\\sqrt":
            return f"√({self.argument()})"
        if word == "\\bar":
            return self.argument() + MACRON
        if word.startswith("\\"):
            return WORDS[word[1:]]
        return " " if word.isspace() else word

    def verbatim(self) -> str:
        """Return the words in braces with the spaces around them."""
        self.take()
        start = self.at
        while self.take() != "}":
            pass
        return "".join(self.tokens[start : self.at - 1])

    def script(self, kind: str) -> str:
        """Return a subscript or superscript: in small letters if there are such, else after a mark."""
        text = self.argument()
        letters = BELOW if kind == "_" else ABOVE
        text = re.sub(r"^· ", "·", text)
        if len(text) <= LONGEST and all(ord(letter) in letters for letter in text):
            return text.translate(letters)
        return kind + (text if re.fullmatch(r"[\w·']+(\([^()]*\))?", text) else f"({text})")

    def fraction(self, before: str) -> str:
        """Return a fraction on one line; in brackets where it is not clear where it begins or ends."""
        above, below = self.argument(), self.argument()
        if simple(above) and simple(below):
            return f"({above}/{below})" if before.rstrip().endswith("log₂") else f"{above}/{below}"
        text = f"{bracketed(above)} / {bracketed(below)}"
        rest = "".join(self.tokens[self.at :]).lstrip()
        alone = not before.strip() or before.rstrip()[-1] in f"=,+-{QUAD}"
        ends = not rest or rest[0] in ",+}=" or rest.startswith(("\\quad", "\\text", "- "))
        return text if alone and ends else f"({text})"


def simple(text: str) -> bool:
    """Tell whether a text is one number, letter or function."""
    return re.fullmatch(r"[^\s+\-/()]+(\([^()]*\))?", text) is not None


def bracketed(text: str) -> str:
    """Return a text in brackets, unless it is simple."""
    return text if simple(text) else f"({text})"
