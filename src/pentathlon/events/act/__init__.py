"""act: does a policy that was trained offline work on a robot it never touched?"""
