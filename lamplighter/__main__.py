"""`python -m lamplighter` is the command line."""

from lamplighter.cli import main

main()
