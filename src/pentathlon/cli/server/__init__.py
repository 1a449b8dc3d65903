"""Commands of those who run a server and of those who submit to it."""
