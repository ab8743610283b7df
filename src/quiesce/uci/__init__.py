"""Shell. The Universal Chess Interface, for GUIs and match programs."""
