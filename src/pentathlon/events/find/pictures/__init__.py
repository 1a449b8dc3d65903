"""Pictures of trials: films, and ways drawn on the house seen from above."""
