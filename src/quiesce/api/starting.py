"""Shell. `popen` for programs written for python-chess: a command that names quiesce starts no process."""

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import PureWindowsPath
from typing import Any

import chess.engine

Command = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
NAME = "quiesce"
ENDED = 0
"""Exit code of a closed engine."""


class OtherEngineError(chess.engine.EngineError, ValueError):
    """The command starts another program than Quiesce."""


def names_quiesce(command: Command) -> bool:
    """Does a command start Quiesce: `quiesce` at any path, or `python -m quiesce`, with or without `uci`?

    >>> [names_quiesce(command) for command in ("/usr/bin/quiesce", ["python3", "-m", "quiesce", "uci"], "stockfish")]
    [True, True, False]
    """
    words = [command] if isinstance(command, str | os.PathLike) else list(command)
    program, *rest = [os.fspath(word) for word in words] or [""]
    name = PureWindowsPath(program).name.lower().removesuffix(".exe")
    if name.startswith("python") and rest[:2] == ["-m", NAME]:
        name, rest = NAME, rest[2:]
    return name == NAME and rest in ([], ["uci"])


def check_command(command: Command) -> None:
    """Raise OtherEngineError unless the command starts Quiesce."""
    if not names_quiesce(command):
        raise OtherEngineError(
            f"{command!r} does not start Quiesce, which runs in this process by the command 'quiesce': "
            "chess.engine starts other engines"
        )


def check_protocol(protocol: type[chess.engine.Protocol]) -> None:
    """Raise OtherEngineError for other protocols than UCI."""
    if issubclass(protocol, chess.engine.XBoardProtocol):
        raise OtherEngineError("Quiesce does not speak XBoard's protocol")


class InProcess(asyncio.SubprocessTransport):
    """Takes the place of python-chess's transport, which is a pipe to a process."""

    def __init__(self, close: Callable[[], None]) -> None:
        super().__init__()
        self._close = close
        self._returncode: int | None = None

    def get_pid(self) -> int:
        """The number of this process."""
        return os.getpid()

    def get_returncode(self) -> int | None:
        """0 once the engine is closed, None before."""
        return self._returncode

    def get_pipe_transport(self, fd: int) -> None:
        """None, for there are no pipes."""

    def is_closing(self) -> bool:
        """Is the engine closed?"""
        return self._returncode is not None

    def close(self) -> None:
        """Close the engine."""
        if self._returncode is None:
            self._returncode = ENDED
            self._close()

    def terminate(self) -> None:
        """Close the engine."""
        self.close()

    def kill(self) -> None:
        """Close the engine."""
        self.close()

    def send_signal(self, signal: int) -> Any:  # noqa: ARG002
        """Close the engine, as most signals would."""
        self.close()
