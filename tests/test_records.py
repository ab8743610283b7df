"""Records: declared field by field, read as attributes, seen as one pointer by the compiler."""

import pickle

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


def test_other_names_are_refused():
    """A slip in a name is an error, in reading and in writing."""
    path = new(PATH)
    with pytest.raises(AttributeError, match="length"):
        assert path.length
    with pytest.raises(AttributeError, match="length"):
        path.length = 1
    with pytest.raises(ValueError, match="invalid literal"):
        path.points[0].x = "far"


def test_kernels_get_the_memory_itself():
    """What `data` shows is the record, not a copy, also for a record within another."""
    path = new(PATH)
    whole, inner = np.frombuffer(path.data, np.uint8), np.frombuffer(path.points[1].data, np.uint8)
    path.points[1].x = 9
    assert inner[0] == 9
    assert whole[POINT.itemsize] == 9
    assert len(whole) == PATH.itemsize


def test_records_go_through_pickle():
    """Arrays of records may be sent to other processes."""
    points = np.zeros(3, POINT)
    points[1].x = 4
    again = pickle.loads(pickle.dumps(points))
    assert again.dtype == POINT
    assert again[1].x == 4
