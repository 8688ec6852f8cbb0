"""How long an agent waits for its summaries."""
