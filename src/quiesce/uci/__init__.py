"""Shell. The Universal Chess Interface: what GUIs and match tools speak."""
