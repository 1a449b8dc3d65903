"""What find adds to the command line."""
