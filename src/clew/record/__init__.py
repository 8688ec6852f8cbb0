"""The handoff record: kinds, items, deltas and the lineage that balances."""
