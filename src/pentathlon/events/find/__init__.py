"""find: does an agent go to what a sentence describes, without having learned to navigate?"""
