"""The table's memory: what does not fit is refused."""

import pytest

from quiesce.search import table as table_module
from quiesce.search.table import Table, free_megabytes


def test_a_table_that_does_not_fit_is_refused(monkeypatch, tmp_path):
    """Too much is refused with the numbers, and the old table stays; a container's limit counts."""
    made = Table(2)
    address = int(made.record.address)
    limit, used = tmp_path / "max", tmp_path / "current"
    limit.write_text(str(200 << 20))
    used.write_text(str(100 << 20))
    monkeypatch.setattr(table_module, "GROUP_LIMIT", limit)
    monkeypatch.setattr(table_module, "GROUP_USED", used)
    assert free_megabytes() == 100
    with pytest.raises(MemoryError, match="500 MB of hash do not fit: 100 MB are free"):
        made.resize(500)
    assert (made.megabytes, int(made.record.address)) == (2, address)
    made.resize(30)
    assert made.megabytes == 30
    limit.write_text("max\n")
    assert free_megabytes() != 100
