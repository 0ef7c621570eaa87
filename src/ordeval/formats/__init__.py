"""How results look: sheets, numbers, JSON, LaTeX, Markdown, frames, terminal."""
