"""A small plan of self-play data, and a pool that plays it in this process."""

import random

from click.testing import CliRunner

from quiesce.cli import cli
from quiesce.lab.datagen import DataPlan

PLAN = DataPlan(seed=7, nodes=150, chunk_positions=60)
CHUNKS = 4
POSITIONS = CHUNKS * PLAN.chunk_positions


class HerePool:
    """Does tasks in this process, in an order a seed decides; stops after a number of them."""

    def __init__(self, seed=0, stop_after=None):
        self.order, self.left, self.done = random.Random(seed), stop_after, []

    def do(self, work, tasks):
        """Results in a mixed order."""
        tasks = list(tasks)
        self.order.shuffle(tasks)
        for key, task in tasks:
            if self.left == len(self.done):
                raise KeyboardInterrupt
            self.done.append(key)
            yield key, work(task)


def run(*words):
    """Run a command in this process."""
    return CliRunner().invoke(cli, [str(word) for word in words])
