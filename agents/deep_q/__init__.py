"""Deep Q-learning (Mnih et al., 2015) with action masks: one seat of each game learns against opponents."""
