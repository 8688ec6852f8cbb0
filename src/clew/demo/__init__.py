"""The reconciliation scenario: which way to fill a context loses 47 rows, and why."""
