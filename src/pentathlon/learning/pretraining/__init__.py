"""Pre-training of encoders: masked autoencoders and contrastive learning."""
