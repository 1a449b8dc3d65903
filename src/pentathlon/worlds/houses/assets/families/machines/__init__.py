"""Electronics and machines of the living room and the desk."""
