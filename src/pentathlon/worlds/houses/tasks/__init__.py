"""Navigation tasks in houses: episodes, goals, Gymnasium environments, and agents without learning."""
