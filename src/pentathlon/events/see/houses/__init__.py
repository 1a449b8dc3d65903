"""See's tasks in houses: find the place of a picture, find a thing, pick a thing up."""
