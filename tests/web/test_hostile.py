"""A hostile client: sizes, rubbish, many connections. The server stays up and nothing is left running."""

import json
import os
import random
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from quiesce.web.server import MOST_BROWSERS
from quiesce.web.wire import LONGEST_MESSAGE, MOST_MOVES

from .conftest import START, Client, settled

MANY, AT_ONCE = 200, 40


def alive(address):
    """Does a new browser get an answer?"""
    with Client(address) as client:
        return client.ask("position")["fen"] == START


def test_an_oversized_message_ends_its_connection(address):
    """One byte too many closes it; the size below is read."""
    with Client(address) as client:
        body = {"number": 1, "do": "position", "pad": ""}
        body["pad"] = "x" * (LONGEST_MESSAGE - len(json.dumps(body)))
        client.socket.send(json.dumps(body))
        assert client.hear()["answer"]["fen"] == START
        client.socket.send("x" * (LONGEST_MESSAGE + 1))
        with pytest.raises(ConnectionClosed):
            client.hear(10)
    assert alive(address)


def test_the_longest_game_fits_into_a_message(address):
    """As many moves as a game may have are read; one more is refused in words."""
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * (MOST_MOVES // 4)
    with Client(address) as client:
        assert len(client.ask("position", moves=moves)["plies"]) == MOST_MOVES
        assert "more than 1000" in client.error("position", moves=[*moves, "g1f3"])


def test_bytes_are_no_message(address):
    """Binary frames end the connection, not the server."""
    with Client(address) as client:
        client.socket.send(os.urandom(100))
        with pytest.raises(ConnectionClosed):
            client.hear(10)
    assert alive(address)


def test_random_frames_are_survived(address):
    """Rubbish on the wire below the protocol: what is no WebSocket frame ends that connection alone."""
    draw = random.Random(1)
    for _ in range(20):
        client = Client(address)
        client.socket.socket.sendall(draw.randbytes(200))
        client.vanish()
    line = socket.create_connection(address.split(":"), timeout=10)
    line.sendall(b"\x00" * 5_000 + b"\r\n\r\n")
    line.recv(1_000)
    line.close()
    assert alive(address)
    settled(address, browsers=0, running=0)


def test_200_connections_opened_and_dropped(address, capsys):
    """Each begins a search and is gone: no search is left, and a new browser is served at once."""
    refused = []

    def come_and_go(number):
        try:
            client = Client(address, open_timeout=60, source_address=(f"127.0.0.{number % 4 + 1}", 0))
        except (ConnectionClosed, InvalidMessage, InvalidStatus, OSError, TimeoutError) as error:
            refused.append(error)
            return
        client.socket.send(json.dumps({"number": 1, "do": "analyse", "moves": []}))
        if number % 2:
            client.close()
        else:
            client.vanish()

    started = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as crowd:
        list(crowd.map(come_and_go, range(MANY)))
    came = time.monotonic() - started
    left = settled(address, running=0, waiting=0, browsers=0, seconds=20)
    with capsys.disabled():
        print(
            f"\n{MANY} connections in {came:.1f} s, {len(refused)} refused; {left['running']} searches left "
            f"{time.monotonic() - started - came:.1f} s later"
        )
    assert len(refused) < MANY / 4
    assert alive(address)


def test_a_full_server_says_so(address):
    """One more than it takes is told to try later; those connected stay, and room is made when they leave."""
    clients = [Client(address, source_address=(f"127.0.0.{index % 4 + 1}", 0)) for index in range(MOST_BROWSERS)]
    with pytest.raises(ConnectionClosed) as full:
        Client(address)
    assert full.value.rcvd.code == 1013
    assert clients[0].ask("position")["fen"] == START
    for client in clients:
        client.close()
    settled(address, browsers=0)
    assert alive(address)


def test_a_silent_reader_holds_nobody_up(address):
    """A browser that reads nothing of its analysis does not stop others from being served."""
    with Client(address) as deaf:
        deaf.send("analyse", lines=5)
        settled(address, running=1)
        time.sleep(0.5)
        assert alive(address)
    settled(address, running=0, browsers=0)
