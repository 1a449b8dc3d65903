"""Learning by trial and error, and the experts trained with it."""
