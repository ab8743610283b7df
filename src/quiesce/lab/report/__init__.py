"""Shell. The report: one HTML page of all that the store keeps, with charts we draw ourselves."""
