"""The learned agents QA, Novelty and Novelty+QA: belief, policy and reader, their rewards, loss and training."""
