"""Learning from recorded trajectories alone: chunked cloning, nearest neighbours, IQL, decision transformer."""
