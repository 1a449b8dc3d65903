"""Judge: can a model tell whether a sequential task was done as described?"""
