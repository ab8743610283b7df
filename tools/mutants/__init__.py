"""Faults planted in the sources one by one, and whether the tests notice: `make mutants`."""
