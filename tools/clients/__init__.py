"""Clients nobody here wrote: each plays with our engine, a recorder listens, a judge counts what went wrong."""
