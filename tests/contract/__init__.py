"""What every game and every API promises. These tests loop over all enrolled games and name none."""
