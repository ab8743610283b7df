"""Shell. The static test: how well evaluations foretell deep judges. For measuring, never for learning."""
