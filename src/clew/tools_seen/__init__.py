"""What calls did: resource, action, version and outcome, one table a tool family."""
