"""What explore adds to the command line."""
