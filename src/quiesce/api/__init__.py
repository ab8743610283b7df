"""Shell. The Python API, with python-chess's types. `import quiesce` exports it."""
