"""Learning to find one's way: worlds of houses for PPO, encoders of goals, and the trainings."""
