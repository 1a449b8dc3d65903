"""Bodies that live in houses: the navigator, the arm agent and the household verbs."""
