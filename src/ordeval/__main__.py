"""`python -m ordeval` is the command line."""

from ordeval.cli import main

if __name__ == "__main__":
    main(prog_name="ordeval")
