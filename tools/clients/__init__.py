"""Real chess programs play with our engine; a recorder logs the traffic and a judge counts faults."""
