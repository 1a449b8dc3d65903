"""Who may use a server: accounts, their tokens, and the sign-ins of browsers."""
