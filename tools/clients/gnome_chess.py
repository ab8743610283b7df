"""GNOME Chess with an entry for our engine: it opens each game, and random moves are answered by the mouse."""

import os
import random
import signal
import time

import chess

from tools.clients.desk import PARTING_SECONDS, program

MOVE_SECONDS = 45.0
"""GNOME Chess itself gives up after 30."""
ANIMATION_SECONDS, CLICK_SECONDS = 1.0, 0.3
STEP, LEAST_SPOTS = 2, 500
"""Distance of sampled pixels, and least number of them in a border."""

ENTRY = """[Quiesce]
protocol=uci
binary=quiesce
uci-go-option-easy-0=depth 1
uci-go-option-normal-0=depth 5
uci-go-option-hard-0=movetime 1000
"""
"""The entry of docs/howto/gui.md."""
SETTINGS = """[org/gnome/Chess]
opponent='Quiesce'
play-as='black'
difficulty='hard'
board-side='white'
"""
BORDER = (46, 52, 54)
"""The colour around its board, half a square wide."""
SQUARES = 9
"""Widths of a square from one side of the border to the other."""
MOVES = 5


def play(desk):
    """Play some moves as Black, check, and quit. The D-Bus session ends with the desk."""
    configuration = desk.home / "xdg_config_home"
    for folder, name, text in (("gnome-chess", "engines.conf", ENTRY), ("glib-2.0/settings", "keyfile", SETTINGS)):
        (configuration / folder).mkdir(parents=True)
        (configuration / folder / name).write_text(text, encoding="utf-8")
    desk.show_screen()
    process = desk.start("dbus-run-session", "--", program("gnome-chess"), cwd=desk.folder)
    choice = random.Random(1)
    for number in range(1, MOVES + 1):
        wait_for_moves(desk, process, number)
        board = desk.verdict().board
        moves = [move for move in board.legal_moves if not move.promotion]  # a promotion opens a dialog
        if not moves:
            break
        if number < MOVES:
            make_move(desk, choice.choice(moves))
    desk.picture("game")
    desk.rounds += 1
    end_program(desk, process)


def wait_for_moves(desk, process, count):
    """Wait until our engine has played this many moves."""
    desk.wait(
        f"move {count} of our engine in GNOME Chess",
        lambda: desk.verdict().moves >= count or process.poll() is not None,
        MOVE_SECONDS,
    )


def make_move(desk, move):
    """Click on both squares of a move, until the board takes it."""
    left, top, size = desk.wait("the board of GNOME Chess", lambda: board_of(desk.screen.pixels()), MOVE_SECONDS)
    time.sleep(ANIMATION_SECONDS)
    for square in (move.from_square, move.to_square):
        x = left + size * (chess.square_file(square) + 1)
        y = top + size * (8 - chess.square_rank(square))
        desk.xdotool("mousemove", round(x), round(y), "click", 1)
        time.sleep(CLICK_SECONDS)


def board_of(pixels):
    """Left and top of the board's border, and the size of a square; None if no board is visible."""
    spots = [
        (x, y)
        for y in range(0, pixels.height, STEP)
        for x in range(0, pixels.width, STEP)
        if pixels.colour(x, y) == BORDER
    ]
    if len(spots) < LEAST_SPOTS:
        return None
    left, right = min(x for x, _ in spots), max(x for x, _ in spots)
    return left, min(y for _, y in spots), (right - left + STEP) / SQUARES


def end_program(desk, process):
    """Ask GNOME Chess itself to end, and wait for its session."""
    for number, words in desk.family.members().items():
        if words.startswith(program("gnome-chess")):
            os.kill(number, signal.SIGTERM)
    desk.wait("GNOME Chess to end", lambda: process.poll() is not None, PARTING_SECONDS)
