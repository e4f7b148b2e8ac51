"""What every game and every face promises. These tests loop over all enrolled games and name none."""
