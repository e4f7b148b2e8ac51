"""PPO by self-play: the decisions of all seats are one stream, and one network learns from all of them."""
