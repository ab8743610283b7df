"""Quiesce: a chess engine in Python that searches until the position is quiet, and shows why."""

__version__ = "0.1.0"
