"""Web fuzzing of a real server: browsers send good and bad messages and leave at random; no search may be left."""

import json
import time
from contextlib import suppress
from threading import Thread

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.web.conftest import Client, status
from tools.soak.processes import OURS, Growth, descendants, end, started
from tools.soak.table import Tally
from tools.soak.talk import walked

BROWSERS = 6
"""That come one after the other in a round; every other one leaves something running."""
QUESTIONS = 8
BAD_NUMBERS = (1_000, 2_000)
"""Of messages whose answers nobody waits for; those that are waited for count from 1."""
SETTLE_SECONDS = 30.0
ANSWER_SECONDS = 60.0
WARM_ROUNDS = 8
FAILURES = ("Traceback", " failed")
ODD_VALUES = (
    None,
    -1,
    1 << 70,
    0.5,
    True,
    "",
    "x" * 3_000,
    "\ud800",
    [],
    {},
    [[]] * 50,
    "e2e4",
    "8/8/8/8/8/8/8/8 w - - 0 1",
)
NAMES = (
    "number",
    "do",
    "fen",
    "moves",
    "say",
    "chess960",
    "options",
    "lines",
    "elo",
    "milliseconds",
    "left",
    "pgn",
    "result",
)
GONE = (ConnectionClosed, InvalidHandshake, OSError)
"""WebSocket codes with which the server may close."""


class Served:
    """A server; a thread reads its error stream."""

    def __init__(self, command=(*OURS, "serve")):
        self.process = started([*command, "--port", "0", "--engines", "2", "--hash", "4"])
        self.words = []
        Thread(target=self._listen, daemon=True).start()
        self.address = self.process.stdout.readline().partition("http://")[2].partition("/")[0]

    def _listen(self):
        with suppress(ValueError):  # closed by us
            self.words.extend(self.process.stderr)

    def family(self):
        """All its processes."""
        return [self.process.pid, *descendants(self.process.pid)]

    def settled(self):
        """Does it come to rest, without a browser, a search or one that waits?"""
        limit = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < limit:
            with suppress(OSError):
                found = status(self.address)
                if not (found["browsers"] or found["running"] or found["waiting"]):
                    return True
            time.sleep(0.1)
        return False

    def end(self):
        """End all of it."""
        end(self.process, self.family())


def fuzz(seconds, choice, _folder):
    """Rounds of browsers; a server that crashed or hangs is restarted."""
    tally, deadline = Tally("web fuzz"), time.monotonic() + seconds
    while time.monotonic() < deadline:
        server, growth = Served(), Growth(WARM_ROUNDS)
        try:
            while time.monotonic() < deadline:
                play_round(tally, server, choice)
                if not is_well(tally, server):
                    break
                if status(server.address)["tracer"]:  # all its processes have loaded what they need
                    growth.sample(server.family())
                tally.rounds += 1
        finally:
            server.end()
        tally.grew(growth.megabytes())
    return tally


def play_round(tally, server, choice):
    """Some browsers; each asks, some of it rubbish, and leaves."""
    for _ in range(BROWSERS):
        try:
            client = Client(server.address, open_timeout=ANSWER_SECONDS)
            try:
                talk(tally, client, choice)
            finally:
                client.vanish() if choice.random() < 0.5 else client.close()
        except TimeoutError as error:
            tally.fault("hangs", f"a browser got no answer: {error!r}")
        except GONE:
            continue


def talk(tally, client, choice):
    """Send good and bad questions; after invalid frames the connection is over."""
    for _ in range(choice.randrange(1, QUESTIONS)):
        if choice.random() < 0.4:
            good_question(tally, client, choice)
        else:
            client.socket.send(bad_message(choice))
    if choice.random() < 0.2:
        client.socket.socket.sendall(choice.randbytes(choice.randrange(1, 300)))


def is_well(tally, server):
    """Does the server still run, rest and answer? Whatever is not so is counted."""
    for line in server.words:
        if any(word in line for word in FAILURES):
            tally.fault("crashes", f"the server said: {line.strip()}")
    server.words.clear()
    if server.process.poll() is not None:
        tally.fault("crashes", f"the server ended with code {server.process.returncode}")
        return False
    if not server.settled():
        tally.fault("hangs", f"searches or browsers were left: {server.address}")
        return False
    try:
        with Client(server.address) as client:
            client.ask("position")
    except (AssertionError, TimeoutError, *GONE) as error:
        tally.fault("hangs", f"a new browser got no answer: {error!r}")
        return False
    return True


def question(choice):
    """A message as the page might send it."""
    board = walked(choice)
    start = board.root()
    game = {"fen": start.fen(), "chess960": board.chess960, "moves": [move.uci() for move in board.move_stack]}
    extra = {
        "position": {},
        "play": {"milliseconds": choice.randrange(10, 60)},
        "analyse": {"lines": choice.randrange(1, 6)},
        "review": {},
        "tree": {"options": {"QSearchDelta": choice.randrange(2)}},
        "save": {"white": "A", "black": "B"},
        "stop": {},
    }
    word = choice.choice(list(extra))
    return word, board, game | extra[word]


def good_question(tally, client, choice):
    """Send a valid question; quick ones must be answered, and moves must be legal."""
    word, board, body = question(choice)
    if word in ("analyse", "review", "tree"):
        client.send(word, **body)
        return
    said = client.all(word, **body)[-1]
    if word != "play" or "answer" not in said or "game" not in said["answer"]:
        return
    told, played = body["moves"], [ply["uci"] for ply in said["answer"]["game"]["plies"]]
    if played[: len(told)] != told:
        tally.fault("lost", f"the answer to {told} is {played}")
    elif played[len(told) :] and played[-1] not in {move.uci() for move in board.legal_moves}:
        tally.fault("illegal", f"{played[-1]} in {board.fen()}")


def bad_message(choice):
    """Something that is wrong in one way or another."""
    kind, (word, _, body) = choice.random(), question(choice)
    body |= {"number": choice.randrange(*BAD_NUMBERS), "do": word}
    text = json.dumps(body)
    if kind < 0.4:
        return json.dumps(body | {choice.choice(NAMES): choice.choice(ODD_VALUES)})
    if kind < 0.7:
        place = choice.randrange(len(text))
        return text[:place] + chr(choice.randrange(1, 0xD7FF)) + text[place + choice.randrange(3) :]
    if kind < 0.9:
        return "".join(chr(choice.randrange(1, 0x2FFF)) for _ in range(choice.randrange(200)))
    return choice.randbytes(choice.randrange(1, 300))
