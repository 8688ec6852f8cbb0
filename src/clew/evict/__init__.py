"""Taking single parts out of the window: stubs and the plan of what goes first."""
