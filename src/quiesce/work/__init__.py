"""Shell. Tasks on processes and clusters, journalled."""
