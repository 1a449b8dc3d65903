"""Playing: a person moves a simulated robot from the browser, and what they do can be kept as training data."""
