"""Files that are named by somebody: read whole, or refused at once with the reason."""

import os
import re
import socket

import pytest

from quiesce.board.readfile import read_bytes, read_json, read_text, regular_file


def test_a_regular_file_is_read_whole(tmp_path):
    """Up to the largest size, to the byte; text without its mark, its lines ended by one sign."""
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bytes(path, 5) == b"12345"
    assert regular_file(path).st_size == 5
    path.write_bytes(b"\xef\xbb\xbf1\r\n2\r3\n")
    assert read_text(path, 100) == "1\n2\n3\n"


@pytest.mark.timeout(20)
def test_what_is_no_regular_file_is_refused_at_once(tmp_path):
    """A directory, a pipe nobody writes to, a socket, a device without end, a name that can be none: each in words."""
    os.mkfifo(tmp_path / "pipe")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "socket"))
    for path, words in (
        (tmp_path, "a directory, not a file"),
        (tmp_path / "pipe", "a pipe, not a regular file"),
        (tmp_path / "socket", "a socket, not a regular file"),
        (tmp_path.joinpath("/dev/zero"), "a device, not a regular file"),
        (tmp_path / "none\0", "no file can have this name"),
        (tmp_path / "missing", "No such file or directory"),
    ):
        for read in (regular_file, lambda path: read_bytes(path, 10), lambda path: read_text(path, 10)):
            with pytest.raises(OSError, match=re.escape(words)) as error:
                read(path)
            assert error.value.strerror == words
    listener.close()


def test_too_much_is_refused(tmp_path):
    """One byte too many, or a file that has no size and yet much to say."""
    path = tmp_path / "file"
    path.write_bytes(b"123456")
    with pytest.raises(OSError, match="larger than 5 bytes"):
        read_bytes(path, 5)
    with pytest.raises(OSError, match="larger than 1 bytes"):
        read_bytes(tmp_path.joinpath("/proc/self/status"), 1)


def test_text_in_another_encoding_is_refused(tmp_path):
    """The first byte that cannot be is told."""
    path = tmp_path / "file"
    path.write_bytes(b"abc\xa1")
    with pytest.raises(OSError, match="not a text file in UTF-8"):
        read_text(path, 10)


def test_json_of_any_kind_is_a_value_or_a_value_error():
    """Nested without end, cut short, no text at all: always the same kind of error."""
    assert read_json('{"a": [1]}') == {"a": [1]}
    for text in ("[" * 100_000, '{"a":' * 100_000, "{", b"\xff\xfe\xff", "1" * 5_000, ""):
        with pytest.raises(ValueError, match=r"\w"):
            read_json(text)
