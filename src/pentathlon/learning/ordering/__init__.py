"""Training of the judge that sees order, on films whose steps are known frame by frame."""
