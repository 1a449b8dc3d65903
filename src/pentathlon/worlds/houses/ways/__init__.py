"""Where one can walk."""
