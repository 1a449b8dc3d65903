"""People who explore: the agent that asks them, and what their trials say of k."""
