"""Training: masked autoencoders, contrastive learning, behaviour cloning."""
