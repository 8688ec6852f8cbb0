"""What a real model's proposals are worth, and that none of its words gets in without a source."""
