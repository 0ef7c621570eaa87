"""Result files of evaluation tools as marks: one file for each tool, and one that recognises their files."""
