"""From depth pictures to a map of the floor, and to where the agent stands on it."""
