"""What events bring to the command line."""
