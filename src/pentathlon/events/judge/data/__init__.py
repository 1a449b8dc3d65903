"""Problem sets of judge: videos and the sentences to match them with."""
