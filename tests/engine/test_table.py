"""The table's memory: what does not fit is refused."""

import pytest

from quiesce.engine import table as table_module
from quiesce.engine.table import Table, free_megabytes


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


def test_memory_counts_once(monkeypatch):
    """A large table is handed out page by page: what it has not taken yet is free already and is not counted again."""
    large = table_module.EAGER_MEGABYTES * 2
    monkeypatch.setattr(table_module, "EAGER_MEGABYTES", 4)
    monkeypatch.setattr(table_module, "free_megabytes", lambda: large)
    made = Table(large - 200)
    made.memory[: 64 * table_module.MEGABYTE].fill(1)
    assert 60 <= table_module.resident_megabytes(made.memory) <= 80
    with pytest.raises(MemoryError, match="do not fit"):
        made.resize(large + 100)
    assert made.megabytes == large - 200
    made.resize(large - 100)
    assert made.megabytes == large - 100
