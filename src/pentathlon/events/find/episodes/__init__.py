"""The episodes of find: what they are, how they are made, and who checks them."""
