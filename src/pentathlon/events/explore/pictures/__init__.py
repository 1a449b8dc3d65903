"""Pictures of what happened in a trial, and of what was scored."""
