"""Records: declared field by field, read as attributes, seen as one pointer by the compiler."""

import numpy as np
import pytest

from quiesce.records import Field, new, record

POINT = record(Field("x", "u1", "how far east"), Field("y", ("u8", (2,)), "how far north, twice"))
PATH = record(Field("points", (POINT, (3,)), "where it leads"))


def test_fields_are_attributes_however_deep():
    """A record of records is read and written by name, and what is written stays."""
    path = new(PATH)
    path.points[1].x = 7
    path.points[1].y[0] = 2**63
    assert path.points[1].x == 7
    assert path.points[1].y[0] == 2**63
    assert path.points[0].x == 0


def test_records_are_aligned():
    """Wide fields start where the processor likes them."""
    assert POINT.isalignedstruct
    assert POINT.fields["y"][1] == 8


def test_names_numpy_uses_are_refused():
    """A field called like an attribute of NumPy's records would silently be that attribute."""
    with pytest.raises(ValueError, match="flags, size"):
        record(Field("flags", "u1", "a name that is taken"), Field("size", np.dtype("u1"), "another"))
