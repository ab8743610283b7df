"""Shell. Quiesce for Python programs, in the words of python-chess; `import quiesce` hands out what is here."""
