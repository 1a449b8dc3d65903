"""Run folders: what a run is and what it recorded."""
