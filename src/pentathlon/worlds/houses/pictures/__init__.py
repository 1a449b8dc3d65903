"""Pictures of houses for people."""
