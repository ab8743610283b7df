"""Shell. `python -m quiesce` is the `quiesce` command."""

from quiesce.cli import main

if __name__ == "__main__":
    main()
