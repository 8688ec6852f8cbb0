"""Summarizers propose deltas: the offline one and those with a model behind them."""
