"""Networks under test and the weights they load."""
