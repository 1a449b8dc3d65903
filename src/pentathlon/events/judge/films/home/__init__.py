"""Films of a virtual home: a person does chores in a kitchen, seen through their eyes."""
