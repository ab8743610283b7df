"""A virtual screen: Xvfb, its pixels, screenshots, mouse and keyboard."""

import os
import struct
import zlib
from dataclasses import dataclass

SIZE = (1280, 960)
HEADER = struct.Struct(">25I")
"""The header of an X window dump: 25 big-endian numbers, then the window's name and its colours."""
COLOUR_BYTES = 12


@dataclass
class Pixels:
    """The pixels of a screen: rows of bytes, four for each pixel: blue, green, red, unused."""

    width: int
    height: int
    rows: list[bytes]

    def colour(self, x, y):
        """Red, green and blue of a pixel."""
        blue, green, red = self.rows[y][4 * x : 4 * x + 3]
        return red, green, blue

    def png(self):
        """The picture as a file."""
        lines = b"".join(b"\0" + self._rgb(row) for row in self.rows)
        parts = ((b"IHDR", struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)),
                 (b"IDAT", zlib.compress(lines)), (b"IEND", b""))  # fmt: skip
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in parts
        )

    @staticmethod
    def _rgb(row):
        line = bytearray(len(row) // 4 * 3)
        line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
        return bytes(line)


class Screen:
    """Xvfb in a folder; `environment` is for its clients."""

    def __init__(self, family, folder, program):
        self._memory = folder / "Xvfb_screen0"
        reading, writing = os.pipe()
        family.start(
            [program, "-displayfd", str(writing), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp",
             "-fbdir", str(folder)],
            {}, pass_fds=(writing,),
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        self.environment = {"DISPLAY": f":{number}", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1"}

    @property
    def is_there(self):
        """Is there something to be seen? Not where Xvfb did not start, or has ended."""
        return self._memory.exists()

    def pixels(self):
        """The current pixels."""
        data = self._memory.read_bytes()
        header = HEADER.unpack_from(data)
        width, height, stride = header[4], header[5], header[12]
        start = header[0] + header[19] * COLOUR_BYTES
        return Pixels(width, height, [data[start + y * stride : start + y * stride + 4 * width] for y in range(height)])
