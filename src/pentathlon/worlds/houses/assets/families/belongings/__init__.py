"""What people own and leave about."""
