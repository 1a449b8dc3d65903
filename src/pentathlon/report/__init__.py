"""Tables, figures and the static site of a run."""
