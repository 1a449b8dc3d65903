"""The robot: its model, kinematics, control, and the contract it keeps."""
