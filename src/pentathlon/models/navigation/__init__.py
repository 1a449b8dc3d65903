"""Finding one's way from depth pictures: odometry, a floor map, frontiers, and macro actions that follow its charts."""
