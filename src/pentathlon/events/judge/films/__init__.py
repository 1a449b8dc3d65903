"""Films of our own: what is shown in them, how they are made, and what they are asked about."""
