"""Shell. The static test: errors of evaluations against deep searches. For measuring only, never for training."""
