"""Objects of the kitchen, and what is eaten and drunk."""
