"""What a checkpoint holds, how it is taken, and the way back to it."""
