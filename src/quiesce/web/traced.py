"""Shell. The process behind the server's trees: with the trace build, answers by trees as browsers get them."""

from quiesce.trace.child import Answer, serve
from quiesce.trace.explain import explain
from quiesce.web.trees import MOST_NODES, tree_facts
from quiesce.web.wire import game_of, options_of


def answer_of(question: Answer) -> Answer:
    """The tree of the position a question tells."""
    return tree_facts(explain(game_of(question), options_of(question), most_nodes=MOST_NODES))


if __name__ == "__main__":
    serve(answer_of)
