"""Shell. The tree that a search leaves: asked for, explained, drawn."""
